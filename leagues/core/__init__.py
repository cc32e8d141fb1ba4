"""What every part of leagues uses: access, locks, the catalogue of formats, the season's log, page updates.

May import: models, formats, accounts, games. Entry points: access.require, locks, format_catalogue.FORMATS,
season_effects.log_and_refresh.
"""
