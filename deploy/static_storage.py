from whitenoise.storage import CompressedManifestStaticFilesStorage

_imports = CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1]


class StaticStorage(CompressedManifestStaticFilesStorage):
    """File names with a hash, also in the imports between the ES modules of games, so that each is loaded only once.

    Not in other scripts: those of third parties import files that do not exist here.
    """

    support_js_module_import_aggregation = True
    _js_module_import_aggregation_patterns = ("games/*.js", _imports)
