from whitenoise.storage import CompressedManifestStaticFilesStorage

_imports = CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1]


class StaticStorage(CompressedManifestStaticFilesStorage):
    """Names with a hash, also in the imports between the tables' ES modules: one file is one module, loaded once.

    Only there: other people's scripts import what they do not bring along.
    """

    support_js_module_import_aggregation = True
    _js_module_import_aggregation_patterns = ("games/*.js", _imports)
