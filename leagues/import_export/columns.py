"""What the columns of a spreadsheet may be called, in the languages of the site."""

from accounts.infra.text import plain

NAMES: dict[str, tuple[str, ...]] = {
    "name": (
        "name", "player", "full name", "nome", "nome e cognome", "giocatore", "giocatrice",
        "imię", "imię i nazwisko", "nazwisko", "nazwa", "gracz", "zawodnik",
    ),
    "handle": (
        "handle", "username", "user", "nome utente", "utente", "nick", "login", "użytkownik", "nazwa użytkownika",
    ),
    "email": ("email", "e-mail", "mail", "e-mail address", "posta elettronica", "indirizzo e-mail", "adres e-mail"),
    "seed": ("seed", "testa di serie", "numero di partenza", "rozstawienie", "numer startowy"),
    "bot": ("bot", "bot level", "level", "livello", "livello del bot", "poziom", "poziom bota"),
    "division": ("division", "divisione", "serie", "dywizja", "liga"),
    "date": ("date", "day", "played", "played on", "data", "giorno", "dzień"),
    "round": ("round", "turno", "giornata", "runda", "kolejka"),
    "table": ("table", "tavolo", "stół", "stolik"),
    "seat": ("seat", "sedia", "posto al tavolo", "posto a sedere", "siedzenie", "miejsce przy stole"),
    "place": ("place", "rank", "position", "posto", "posizione", "piazzamento", "miejsce", "pozycja", "lokata"),
    "score": ("score", "points", "punteggio", "punti", "wynik", "punkty"),
    "role": ("role", "ruolo", "rola"),
    "kind": ("kind", "type", "tipo", "esito", "rodzaj", "typ"),
}  # fmt: skip

PLAYERS = ("name", "handle", "email", "seed", "bot")
RESULTS = ("division", "date", "round", "table", "seat", "name", "handle", "role", "place", "score", "kind")

# What people write for a round that somebody did not simply play, in plain letters.
KINDS: dict[str, tuple[str, ...]] = {
    "PLAYED": ("", "played", "giocata", "giocato", "rozegrana", "rozegrany"),
    "FW": ("fw", "forfeit win", "vinta a tavolino", "vittoria a tavolino", "walkower", "wygrana walkowerem"),
    "FL": ("fl", "absent", "forfeit", "forfeit loss", "assente", "persa a tavolino", "nieobecny", "nieobecna"),
    "PAB": ("pab", "bye", "riposo", "turno di riposo", "pauza", "wolny los"),
    "FPB": ("fpb", "full-point bye", "riposo da un punto", "pauza za punkt"),
    "HPB": ("hpb", "half-point bye", "mezzo punto", "riposo da mezzo punto", "pauza za pół punktu"),
    "ZPB": ("zpb", "missed", "zero-point bye", "saltato", "riposo senza punti", "opuszczona", "pauza bez punktu"),
}


def _folded(spellings: dict[str, tuple[str, ...]]) -> dict[str, str]:
    return {fold(name): code for code, names in spellings.items() for name in names}


def fold(text: str) -> str:
    """Treat `Imię i nazwisko:` and `imie i nazwisko` as the same."""
    return " ".join(plain(text).strip(" :.*#").replace("_", " ").split())


CODES = _folded(NAMES)
KIND_CODES = _folded(KINDS)
