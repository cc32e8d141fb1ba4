"""Perfect matchings of least cost, by the blossom algorithm of rustworkx."""

from collections.abc import Iterable

import rustworkx

Edge = tuple[int, int, int]
"""Two nodes and the cost of joining them, which may be as large as 2**108."""


def least_cost(nodes: int, edges: Iterable[Edge], must: int | None = None) -> list[tuple[int, int]]:
    """Pairs of least total cost that cover as many as possible of the first `must` nodes (by default all).

    Nodes from `must` on may stay alone; two of them are joined only where that has a negative cost. Each pair comes
    lowest node first.
    """
    required = nodes if must is None else must
    costs = list(edges)
    # Covering one more of the required nodes has to be worth more than everything else together.
    worth = 2 * (nodes * max([abs(cost) for _, _, cost in costs], default=0) + 1)
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from([(a, b, worth * ((a < required) + (b < required)) - cost) for a, b, cost in costs])
    matching = rustworkx.max_weight_matching(graph, max_cardinality=False, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in matching)


def pairable(nodes: int, edges: Iterable[tuple[int, int]]) -> bool:
    """Whether everybody can be paired at all."""
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from([(a, b, 1) for a, b in edges])
    return 2 * len(rustworkx.max_weight_matching(graph, max_cardinality=True, default_weight=1)) == nodes
