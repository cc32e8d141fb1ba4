"""Pictures that people upload, made anew: a small square of our own, with nothing of the file left but what it shows.

The size in pixels is read from the head of the file before anything is decoded. What an upload carries besides the
picture (place and camera, colour profile, further frames, whatever was appended) is not in the result.
"""

import hashlib
from dataclasses import dataclass
from io import BytesIO

from django.utils.translation import gettext
from PIL import Image, ImageOps

from accounts.infra.errors import Refused

FORMATS = ("PNG", "JPEG", "WEBP")
# A request has 2 MB, and there is a form around the file.
MAX_BYTES = 1900 * 1024
MAX_PIXELS = 20_000_000
MAX_SIDE = 10_000
MIN_SIDE = 32
SIDE = 256
QUALITY = 85


@dataclass(frozen=True)
class Picture:
    """A square in WebP, and the fingerprint under which it is served."""

    content: bytes
    digest: str


def square_picture(content: bytes) -> Picture:
    """The middle of a PNG, JPEG or WebP; of an animation its first frame. Refused in words, whatever is wrong."""
    if not content:
        raise Refused(gettext("Choose a file with a picture."))
    if len(content) > MAX_BYTES:
        raise Refused(gettext("A picture has at most %(most)s kB.") % {"most": MAX_BYTES // 1024})
    try:
        small = _decoded(content)
    except Refused:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise _too_many_pixels() from None
    except Exception:
        # The decoders raise almost anything for a file that was cut off or made up.
        raise Refused(gettext("This file is not a picture that can be read: send a PNG, JPEG or WebP.")) from None
    made = BytesIO()
    small.save(made, "WEBP", quality=QUALITY, method=4)
    return Picture(made.getvalue(), hashlib.sha256(made.getvalue()).hexdigest()[:32])


def _decoded(content: bytes) -> Image.Image:
    with Image.open(BytesIO(content), formats=FORMATS) as image:
        width, height = image.size
        if width * height > MAX_PIXELS or max(width, height) > MAX_SIDE:
            raise _too_many_pixels()
        if min(width, height) < MIN_SIDE:
            raise Refused(gettext("A picture is at least %(least)s pixels wide and high.") % {"least": MIN_SIDE})
        # A JPEG is decoded at a fraction of its size.
        image.draft("RGB", (2 * SIDE, 2 * SIDE))
        image.load()
        upright = ImageOps.exif_transpose(image)
        if upright.mode.startswith("I"):
            # Grey in 16 bits, which a plain conversion would cut off at white.
            upright = upright.convert("I").point(lambda value: value * (1 / 257)).convert("L")
        plain = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
    side = min(plain.size)
    left, top = (plain.width - side) // 2, (plain.height - side) // 2
    square = plain.resize(
        (SIDE, SIDE), Image.Resampling.LANCZOS, box=(left, top, left + side, top + side), reducing_gap=2.0
    )
    # Into a canvas of our own: an image remembers the profile and the notes of its file.
    clean = Image.new(square.mode, square.size)
    clean.paste(square)
    return clean


def _too_many_pixels() -> Refused:
    words = gettext("A picture has at most %(most)s million pixels, and no side is longer than %(side)s.")
    return Refused(words % {"most": MAX_PIXELS // 1_000_000, "side": MAX_SIDE})
