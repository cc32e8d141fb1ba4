"""The analysis of finished matches: what each player gave away by what they could know, and what was luck.

from engine import analysis
report = analysis.analyse(transcript_document)
"""

from engine.analysis.judges import METHODS, VERSION, Budget, Method
from engine.analysis.puzzles import find_puzzles
from engine.analysis.report import analyse
from engine.analysis.steps import NotAnalysed

__all__ = ["METHODS", "VERSION", "Budget", "Method", "NotAnalysed", "analyse", "find_puzzles"]
