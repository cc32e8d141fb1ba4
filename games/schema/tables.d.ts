// The element of each game. Named here: in a script's comment an import would be followed by the static files' hashes.

declare namespace SplendorMarvel {
  type Element = import("../static/games/splendor-marvel/table.js").Table;
}

declare namespace InfinityGauntlet {
  type Element = import("../static/games/infinity-gauntlet/table.js").Table;
}

declare namespace ThanosRising {
  type Element = import("../static/games/thanos-rising/table.js").Table;
}
