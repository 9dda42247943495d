"""The language of a post, from its script, its letters or its little words; none is guessed wrongly."""
# ruff: noqa: RUF001 - words of many alphabets

from __future__ import annotations

import pytest

from bridge.tools.bluesky.text.language import guess

TELL = """
en All human beings are born free and equal in dignity and rights.
en Just shipped! Can't believe it took us three weeks
de Alle Menschen sind frei und gleich an Würde und Rechten geboren.
de Heute wird es richtig schön, ich gehe gleich raus
fr Tous les êtres humains naissent libres et égaux en dignité et en droits.
fr J'adore ce film, c'est vraiment génial
es Todos los seres humanos nacen libres e iguales en dignidad y derechos.
es ¡Qué día tan bonito! Me encanta esta ciudad
pt Todos os seres humanos nascem livres e iguais em dignidade e em direitos.
pt Hoje não vou trabalhar, estou muito cansado
it Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti.
it Oggi non ho voglia di fare niente
nl Alle mensen worden vrij en gelijk in waardigheid en rechten geboren.
nl Vandaag ga ik lekker niets doen, het is zondag
ca Tots els éssers humans neixen lliures i iguals en dignitat i en drets.
gl Todos os seres humanos nacen libres e iguais en dignidade e dereitos.
sv Alla människor är födda fria och lika i värde och rättigheter.
da Jeg elsker regnvejr, men ikke i dag. Det er alt for meget af det gode
nb Jeg vet ikke hva jeg skal gjøre av meg selv i dag
is Hver maður er borinn frjáls og jafn öðrum að virðingu og réttindum.
fi Tänään on kyllä hieno päivä, mutta en jaksa lähteä ulos
et Kõik inimesed sünnivad vabadena ja võrdsetena oma väärikuselt ja õigustelt.
pl Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw.
cs Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv.
sk Všetci ľudia sa rodia slobodní a sebe rovní, čo sa týka ich dôstojnosti a práv.
sl Vsi ljudje se rodijo svobodni in imajo enako dostojanstvo in enake pravice.
hr Sva ljudska bića rađaju se slobodna i jednaka u dostojanstvu i pravima.
hu Minden emberi lény szabadon születik és egyenlő méltósága és joga van.
ro Toate ființele umane se nasc libere și egale în demnitate și în drepturi.
sq Të gjithë njerëzit lindin të lirë dhe të barabartë në dinjitet dhe në të drejta.
lt Visi žmonės gimsta laisvi ir lygūs savo orumu ir teisėmis.
lv Visi cilvēki piedzimst brīvi un vienlīdzīgi savā pašcieņā un tiesībās.
tr Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar.
tr Bugün hava çok güzel ama ben evdeyim
id Semua orang dilahirkan merdeka dan mempunyai martabat dan hak-hak yang sama.
tl Ang lahat ng tao'y isinilang na malaya at pantay-pantay sa karangalan at mga karapatan.
sw Watu wote wamezaliwa huru, hadhi na haki zao ni sawa.
vi Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi.
eu Gizon-emakume guztiak aske jaiotzen dira, duintasun eta eskubide berberak dituztela.
cy Genir pawb yn rhydd ac yn gydradd â'i gilydd mewn urddas a hawliau. Mae hyn yn wir.
eo Ĉiuj homoj estas denaske liberaj kaj egalaj laŭ digno kaj rajtoj.
ru Все люди рождаются свободными и равными в своем достоинстве и правах.
ru Сегодня отличная погода, но я никуда не пойду
uk Всі люди народжуються вільними і рівними у своїй гідності та правах.
be Усе людзі нараджаюцца свабоднымі і роўнымі ў сваёй годнасці і правах.
bg Всички хора се раждат свободни и равни по достойнство и права. Това е така.
sr Сва људска бића рађају се слободна и једнака у достојанству и правима.
mk Сите човечки суштества се раѓаат слободни и еднакви по достоинство и права.
ar يولد جميع الناس أحراراً متساوين في الكرامة والحقوق. هذا من حقهم
fa تمام افراد بشر آزاد به دنیا می‌آیند و از لحاظ حیثیت و حقوق با هم برابرند.
ur تمام انسان آزاد اور حقوق و عزت کے اعتبار سے برابر پیدا ہوئے ہیں۔
hi सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।
mr सर्व मानवी व्यक्ती जन्मतः स्वतंत्र आहेत आणि त्यांना समान प्रतिष्ठा व समान अधिकार आहेत.
ne सबै व्यक्तिहरू जन्मजात स्वतन्त्र हुन् र तिनीहरूको समान अधिकार छ। यो पनि हो
bn সমস্ত মানুষ স্বাধীনভাবে সমান মর্যাদা এবং অধিকার নিয়ে জন্মগ্রহণ করে।
ta மனிதப் பிறிவியினர் சகலரும் சுதந்திரமாகவே பிறக்கின்றனர்
ja すべての人間は、生まれながらにして自由であり
zh 人人生而自由，在尊严和权利上一律平等。
ko 모든 인간은 태어날 때부터 자유로우며
th มนุษย์ทั้งปวงเกิดมามีอิสระ
el Όλοι οι άνθρωποι γεννιούνται ελεύθεροι
he כל בני האדם נולדו בני חורין
ka ყველა ადამიანი იბადება თავისუფალი
hy Բոլոր մարդիկ ծնվում են ազատ
"""
SILENT = [
    "🚀🚀",
    "Berlin",
    "lol",
    "ok nice",
    "@bob.dev https://example.com #tea",
    "https://the.and.is/of",
    "",
]
NEIGHBOURS = {  # too alike to tell by this one sentence
    "da": "Alle mennesker er født frie og lige i værdighed og rettigheder.",
    "nb": "Alle mennesker er født frie og med samme menneskeverd og menneskerettigheter.",
}


@pytest.mark.parametrize("line", TELL.strip().splitlines(), ids=lambda line: line.split(" ")[0])
def test_langs_is_set_from_the_text(line: str) -> None:
    code, _, words = line.partition(" ")
    assert guess(words) == code


@pytest.mark.parametrize("words", [*SILENT, *NEIGHBOURS.values()])
def test_a_text_that_does_not_tell_has_no_language(words: str) -> None:
    assert guess(words) == ""


def test_addresses_tags_and_handles_are_no_words() -> None:
    assert guess("#the #and @is.of.to https://example.com/the/and/is") == ""
    assert guess("Das ist nicht die Katze https://example.com/the/and/of #the") == "de"
