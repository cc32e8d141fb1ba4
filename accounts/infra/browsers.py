"""What browsers call themselves."""

BROWSERS = {"Edg/": "Edge", "OPR/": "Opera", "Firefox/": "Firefox", "Chrome/": "Chrome", "Safari/": "Safari"}
SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Mac OS": "macOS",
    "Linux": "Linux",
}


def name_of(user_agent: str) -> str:
    """A browser and its system in words that its owner knows; empty if neither is known."""
    browser = next((name for mark, name in BROWSERS.items() if mark in user_agent), "")
    system = next((name for mark, name in SYSTEMS.items() if mark in user_agent), "")
    return " · ".join(filter(None, [browser, system]))
