import pytest

from accounts.infra.text import markdown, plain, slug


class TestMarkdown:
    @pytest.mark.parametrize(
        "source",
        [
            "<script>alert(1)</script>",
            "<img src=x onerror=alert(1)>",
            "[click](javascript:alert(1))",
            "[click](data:text/html;base64,PHNjcmlwdD4=)",
            "![pixel](https://example.org/x.png)",
            '<a href="/" onclick="alert(1)">x</a>',
            "<svg/onload=alert(1)>",
            "<style>*{display:none}</style>",
        ],
    )
    def test_nothing_harmful_comes_through(self, source):
        html = markdown(source)
        for harm in ("<script", "<img", "<svg", "<style", '<a href="/"', 'href="javascript', 'href="data'):
            assert harm not in html

    def test_what_people_write(self):
        html = markdown("**bold** and [a link](https://example.org)\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |")
        assert "<strong>bold</strong>" in html
        assert 'href="https://example.org"' in html
        assert 'rel="nofollow noopener noreferrer"' in html
        assert html.count("<li>") == 2
        assert "<td>1</td>" in html

    def test_headings_stand_below_the_pages_own(self):
        assert markdown("# One\n\n###### Six") == "<h3>One</h3>\n<h4>Six</h4>\n"
        assert markdown("## Two\n\n### Three\n\n# One") == "<h3>Two</h3>\n<h4>Three</h4>\n<h3>One</h3>\n"


def test_plain_folds_every_alphabet_we_speak():
    assert plain("Łódź ÀÈ Straße") == "lodz ae strasse"


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Stół pod Lampą", "stol-pod-lampa"), ("  --  ", "club"), ("東京", "club"), ("a" * 90, "a" * 48)],
)
def test_slug(name, expected):
    assert slug(name, fallback="club") == expected
