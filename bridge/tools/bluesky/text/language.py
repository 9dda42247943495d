"""Guess the language of a text that is posted, for the field `langs`. Pure.

A script that one language uses decides; else the frequent little words and the letters that few languages
have. A text that does not tell has no language: a wrong one would hide the post from its readers.
"""
# ruff: noqa: RUF001 - words of many alphabets

from __future__ import annotations

import re

_SCRIPTS = (  # in this order: Japanese also uses the letters of Chinese
    ("ja", re.compile("[\u3041-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7a3]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("th", re.compile("[\u0e01-\u0e5b]")),
    ("lo", re.compile("[\u0e81-\u0edf]")),
    ("km", re.compile("[\u1780-\u17dd]")),
    ("my", re.compile("[\u1000-\u109f]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("he", re.compile("[\u05d0-\u05ea]")),
    ("hy", re.compile("[\u0531-\u0587]")),
    ("ka", re.compile("[\u10a0-\u10ff]")),
    ("am", re.compile("[\u1200-\u137f]")),
    ("bn", re.compile("[\u0980-\u09ff]")),
    ("pa", re.compile("[\u0a01-\u0a75]")),
    ("gu", re.compile("[\u0a81-\u0af1]")),
    ("ta", re.compile("[\u0b82-\u0bfa]")),
    ("te", re.compile("[\u0c00-\u0c7f]")),
    ("kn", re.compile("[\u0c80-\u0cf2]")),
    ("ml", re.compile("[\u0d00-\u0d7f]")),
    ("si", re.compile("[\u0d82-\u0df4]")),
)
_WORDS = {
    "en": "the and is of to in it that you for with this are was not my have on we i what but be us just",
    "de": "der die das und ist ich nicht ein eine mit zu auf für wir es sich auch von dem den sie wie war",
    "fr": "le la les et est je ne pas un une des pour dans que vous avec sur il nous ce qui du au en c j",
    "es": "el la los y es no un una que de en por con para se lo mi muy las del pero como esta está me",
    "pt": "o a os e é não um uma que de em por com para se do da eu muito mais no na mas você isso foi",
    "it": "il la e è non un una che di in per con si lo mi gli del sono anche questo ma come ho della le",
    "nl": "de het en is ik niet een van dat op te zijn met voor we ook maar naar er aan je dit wat worden",
    "ca": "el la els i és no un una que de en per amb es les del però com aquest molt més jo som hi al",
    "gl": "o a os e é non un unha que de en por con para se do da eu moi máis no na pero como isto foi",
    "sv": "och är det att en ett i jag inte på som för med av den du vi har till om men var så från",
    "da": "og er det at en et i jeg ikke på som for med af den du vi har til om men var så fra hvad",
    "nb": "og er det at en et i jeg ikke på som for med av den du vi har til om men var så fra hva",
    "is": "og er það að í ég ekki á sem fyrir með af þú við hefur til um en var svo frá hann þetta",
    "fi": "ja on ei se että en ole mutta niin hän minä oli kun mitä myös nyt tämä olen kuin vain jos",
    "et": "ja on ei see et ma ole aga siis ta oli kui mis ka nüüd seda olen ning või sa oma",
    "pl": "i jest nie to że się w na z do jak ale co tak ja już tylko czy dla od przez mnie był są",
    "cs": "a je ne to že se v na s do jak ale co tak já už jen jsem pro od by být který není jsou",
    "sk": "a je nie to že sa v na s do ako ale čo tak ja už len som pre od by byť ktorý nie sú",
    "sl": "in je ne to da se v na z do kot ampak kaj tako jaz že samo sem za od bi biti ki ni so",
    "hr": "i je ne to da se u na s do kao ali što tako ja već samo sam za od bi biti koji nije su",
    "hu": "a az és nem hogy egy is ez van de mint már csak én meg ha volt mert vagy ki be most nagyon",
    "ro": "și este nu că un o în pe cu la mai dar ce eu să din pentru sunt care am fost ca foarte",
    "sq": "dhe është nuk një në me të për që nga por si ka jam kjo unë më shumë ishte i e",
    "lt": "ir yra ne kad į su iš bet kaip tai aš jau tik buvo labai už apie ar taip nuo man",
    "lv": "un ir ne ka ar no bet kā tas es jau tikai bija ļoti par vai arī uz man šis",
    "tr": "ve bir bu için ne çok da de ben var değil ama gibi mi daha sen o kadar olarak olan şey",
    "id": "yang dan di ini itu tidak dengan untuk dari saya ada ke akan juga aku bisa sudah kita karena",
    "tl": "ang ng sa na ay mga at hindi ako ko mo siya naman lang kung para ito pa po ka",
    "sw": "na ya wa ni kwa katika hii la si za kuwa mimi sana lakini hiyo kama leo yangu watu",
    "vi": "và là của không có một được cho người tôi này với đã trong những các để ở rất bạn",
    "eu": "eta da ez bat ere dut hau zen izan baina dira oso gaur nire egin den dago hori nola",
    "ga": "agus tá an na ní sé is ar go do le bhí mé sin ag leis ach seo gach sí",
    "cy": "y yr a mae yn i ar o gyda ddim hyn wedi oedd fod dw roedd gan ond hefyd bod",
    "eo": "la kaj estas ne mi en de al por kun ke tio sed ĉi pri li ĝi tre mia vi",
    "ru": "и в не на я что он с как это но так же по мы ты вы все у меня был для если было очень",
    "uk": "і в не на я що він з як це але так же по ми ти ви все у мене був для якщо було дуже та",
    "be": "і ў не на я што ён з як гэта але так жа па мы ты вы ўсё у мяне быў для калі вельмі",
    "bg": "и в не на да се е от за съм ще че това но как той си ли много аз сме те има като със",
    "sr": "и је не на да се у од за сам ће што то али као ја си ли много смо са има које био",
    "mk": "и е не на да се во од за сум ќе што тоа но како јас си ли многу сме со има кои беше",
    "ar": "في من على أن هذا لا ما إلى التي الذي هو هي مع عن كان كل أنا قد بعد يا",
    "fa": "و در به از که این را با است برای آن من یک هم تا ما می شد خود نیست",
    "ur": "کے میں ہے کی اور سے کا کو نہیں ہیں یہ پر نے بھی کر تو ایک وہ ہم جو",
    "hi": "है के का की में और से को यह नहीं हैं पर भी मैं तो एक वह हम जो था",
    "mr": "आहे आणि मी या ते नाही हे तर पण मला होता आहेत की एक च्या त्या काय आज",
    "ne": "छ र को मा हो यो पनि छैन म लाई गर्न भएको थियो छन् एक हरू त्यो धेरै",
}
_LETTERS = {  # that the language has, and few of its neighbours
    "de": "ßäöü",
    "fr": "êœùëîâçè",
    "es": "ñ¿¡",
    "pt": "ãõç",
    "ca": "·ïçò",
    "sv": "äåö",
    "da": "æøå",
    "nb": "æøå",
    "is": "ðþæ",
    "fi": "äö",
    "et": "õäü",
    "pl": "łąęśźżćń",
    "cs": "řěůčšž",
    "sk": "ľĺŕôčšžť",
    "sl": "čšž",
    "hr": "čćđšž",
    "hu": "őűöü",
    "ro": "șțăşţ",
    "sq": "ëç",
    "lt": "ėįųąęšžč",
    "lv": "āēīūķļņģš",
    "tr": "ğışçö",
    "vi": "ơưđạảấầậắặẹếềểệịọốồộớờợụứừựỳỹ",
    "eo": "ĉĝĥĵŝŭ",
    "cy": "ŵŷ",
    "ru": "ыэё",
    "uk": "іїєґ",
    "be": "ўіыэ",
    "bg": "ъщ",
    "sr": "ђћљњџј",
    "mk": "ѓќѕљњџј",
    "ar": "ةىيك",
    "fa": "پچژگکی",
    "ur": "ٹڈڑےںہ",
    "mr": "ळ",
}
_LISTS = {language: frozenset(words.split()) for language, words in _WORDS.items()}
_WORD = re.compile(r"(?<![@#/.\w])[^\W\d_](?:[\w\u0900-\u097f]*[^\W_])?(?![\w/@]|\.\w)")
_MIN_SCORE = 3
_MIN_PART = 0.2  # of the letters, before a script counts


def guess(text: str) -> str:
    """Return the code of the language; "" if the text does not tell."""
    text = text.lower()
    letters = sum(1 for letter in text if letter.isalpha())
    for language, script in _SCRIPTS:
        if letters and len(script.findall(text)) >= letters * _MIN_PART:
            return language
    words = _WORD.findall(text)
    ranked = sorted(((_score(words, name), name) for name in _LISTS), reverse=True)
    (best, language), (second, _) = ranked[:2]
    return language if best >= _MIN_SCORE and best > second else ""


def _score(words: list[str], language: str) -> int:
    """Count the words that are frequent in this language twice, and those with its letters once."""
    known, own = _LISTS[language], frozenset(_LETTERS.get(language, ""))
    return sum(2 * (word in known) + (not own.isdisjoint(word)) for word in words)
