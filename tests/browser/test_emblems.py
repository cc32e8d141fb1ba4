"""The emblems of all figures as a browser draws them: told apart even at the size of a line of the log."""

from pathlib import Path

from playwright.sync_api import Browser, Route

STATIC = Path(__file__).parents[2] / "games" / "static" / "games"
SIZE = 22
# How far apart two emblems must be at least, as the mean difference of their pixels (0 to 255). Outriders are one
# beast with eyes of another colour and a number.
LEAST_DIFFERENCE, LEAST_AMONG_OUTRIDERS = 20, 3
COMPARE = f"""async () => {{
  const {{ FIGURES }} = await import("/emblems/splendor-marvel.js");
  const {{ address }} = await import("/emblems/drawing.js");
  const canvas = new OffscreenCanvas({SIZE}, {SIZE});
  const pen = canvas.getContext("2d", {{ willReadFrequently: true }});
  const drawn = [];
  const painted = {{}};
  for (const name of Object.keys(FIGURES)) {{
    const picture = new Image({SIZE}, {SIZE});
    picture.src = address(FIGURES, name);
    await picture.decode();
    pen.fillStyle = "#777";
    pen.fillRect(0, 0, {SIZE}, {SIZE});
    pen.drawImage(picture, 0, 0, {SIZE}, {SIZE});
    const {{ data }} = pen.getImageData(0, 0, {SIZE}, {SIZE});
    drawn.push([name, data]);
    painted[name] = data.filter((value, at) => at % 4 < 3 && value !== 119).length / (3 * {SIZE} * {SIZE});
  }}
  const pairs = drawn.flatMap(([one, left], place) => drawn.slice(0, place).map(([two, right]) =>
    [left.reduce((sum, value, at) => sum + Math.abs(value - right[at]), 0) / (3 * {SIZE} * {SIZE}), one, two]));
  return {{ painted, pairs: pairs.sort(([a], [b]) => a - b).slice(0, 40) }};
}}"""


def serve(route: Route) -> None:
    path = route.request.url.split("localhost", 1)[1]
    if path == "/":
        route.fulfill(content_type="text/html", body="<!doctype html><title>Emblems</title>")
    else:
        route.fulfill(content_type="text/javascript", body=(STATIC / path[1:]).read_text(encoding="utf-8"))


def test_no_two_emblems_look_alike_in_the_log(browser: Browser) -> None:
    page = browser.new_page()
    page.route("**/*", serve)
    page.goto("http://localhost/")
    seen = page.evaluate(COMPARE)
    page.close()
    assert len(seen["painted"]) > 100
    assert {name: part for name, part in seen["painted"].items() if part < 0.2} == {}  # nothing is nearly empty
    print(seen["pairs"][:20])
    for difference, one, two in seen["pairs"]:
        both = one.startswith("outrider") and two.startswith("outrider")
        assert difference > (LEAST_AMONG_OUTRIDERS if both else LEAST_DIFFERENCE), (one, two)
