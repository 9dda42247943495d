"""The language of a post, from its script, its letters or its little words; none is guessed wrongly."""
# ruff: noqa: RUF001 - words of many alphabets

from __future__ import annotations

import unicodedata

import pytest

from bridge.tools.bluesky.text import language
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
gl Isto é moi bo pero eu non vou con eles, que non teño unha entrada
sv Alla människor är födda fria och lika i värde och rättigheter.
da Jeg elsker regnvejr, men ikke i dag. Det er alt for meget af det gode
nb Jeg vet ikke hva jeg skal gjøre av meg selv i dag
is Hver maður er borinn frjáls og jafn öðrum að virðingu og réttindum.
fi Tänään on kyllä hieno päivä, mutta en jaksa lähteä ulos
et Ma ei tea, mis see on, aga see oli väga hea ja nüüd olen kodus
pl Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw.
cs Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv.
sk Všetci ľudia sa rodia slobodní a sebe rovní, čo sa týka ich dôstojnosti a práv.
sl Danes sem bil v mestu, ker je bilo lepo, ampak zdaj ni več tako
af Ek het nie geweet wat dit is nie, maar ons gaan môre weer daar wees
hu Minden emberi lény szabadon születik és egyenlő méltósága és joga van.
ro Toate ființele umane se nasc libere și egale în demnitate și în drepturi.
sq Të gjithë njerëzit lindin të lirë dhe të barabartë në dinjitet dhe në të drejta.
lt Visi žmonės gimsta laisvi ir lygūs savo orumu ir teisėmis.
lv Es nezinu, kas tas ir, bet man tas ļoti patīk un es par to domāju
tr Bugün hava çok güzel ama ben evdeyim
id Aku juga tidak bisa, karena mereka sudah ada di sini dan itu harus selesai
tl Ang lahat ng tao'y isinilang na malaya at pantay-pantay sa karangalan at mga karapatan.
sw Leo ni siku nzuri sana lakini mimi na watu wa kwetu hatuna kazi ya kufanya
vi Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi.
eu Gaur oso ondo nago, baina ez dut ezer egin eta hori ere ez da ona
cy Genir pawb yn rhydd ac yn gydradd â'i gilydd mewn urddas a hawliau. Mae hyn yn wir.
eo Mi ne scias, kio ĝi estas, sed mi tre ŝatas la libron kaj la filmon
ru Все люди рождаются свободными и равными в своем достоинстве и правах.
ru Сегодня у меня отличная погода, но я не знаю, что делать
uk Всі люди народжуються вільними і рівними у своїй гідності та правах.
be Я не ведаю, што гэта, але мы былі ў горадзе і ўсё было вельмі добра
bg Всички хора се раждат свободни и равни по достойнство и права. Това е така.
sr Сва људска бића рађају се слободна и једнака у достојанству и правима.
mk Сите човечки суштества се раѓаат слободни и еднакви по достоинство и права.
ar يولد جميع الناس أحراراً متساوين في الكرامة والحقوق. هذا من حقهم
fa تمام افراد بشر آزاد به دنیا می‌آیند و از لحاظ حیثیت و حقوق با هم برابرند.
ur تمام انسان آزاد اور حقوق و عزت کے اعتبار سے برابر پیدا ہوئے ہیں۔
hi सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।
mr मला हे माहित नाही पण आज मी घरी आहे आणि ते छान आहे
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
en I have no idea what they did with the old chairs, but these are much better
de Ich habe gestern noch einmal nachgesehen, aber der Schlüssel war nicht mehr da
fr Je ne sais pas si le train est à l'heure, mais nous avons le temps
es No sé qué ha pasado con las llaves, pero ya no están en la mesa
pt Eu não sei onde ele está, mas isso já foi há muito tempo
it Non so dove sono le chiavi, ma questa è la casa di mia sorella
nl Ik weet niet waar het boek is, maar je kunt het morgen bij ons halen
ca No sé on és el llibre, però això ja ho sap molta gent amb qui parlo
gl Non sei onde está o libro, pero xa é moi tarde para ir con eles á festa
ro Nu știu unde este cartea, dar pentru mine este foarte bine că ai venit
sq Nuk e di ku është libri, por kjo është shumë e mirë për të gjithë
sv Jag vet inte var boken är, men det är inte så viktigt för mig
da Jeg ved ikke hvad der blev af bogen, men den er nok kun til os efter i dag
nn Eg veit ikkje kva dei vil, men eg skal ikkje ta noko frå dei no
is Ég veit ekki hvar bókin er, en það er ekki svo mikilvægt fyrir mig
fi En tiedä missä se on, mutta se ei ole niin tärkeä, kun hän on jo kotona
et Ma ei tea, kus see on, aga kas sa oled juba kodus või mitte
pl Nie wiem, gdzie jest ta książka, ale to już nie jest dla mnie ważne
cs Nevím, kde je ta kniha, ale to už pro mě není tak důležité jako ty
sk Neviem, kde je tá kniha, ale to už pre mňa nie je také dôležité ako ty
sl Ne vem, kje je knjiga, ampak to zdaj ni več tako pomembno za nas
hu Nem tudom, hol van a könyv, de ez most már nem is olyan fontos
lt Nežinau, kur yra knyga, bet tai jau nėra taip svarbu, nes mes ir taip čia
lv Es nezinu, kur ir grāmata, bet tas vairs nav tik svarīgi, jo viņa ir šeit
tr Kitap nerede bilmiyorum ama bu benim için artık çok da önemli değil
az Bilmirəm kitab harada, amma bu mənim üçün o qədər də vacib deyil
id Aku tidak tahu karena dia belum bilang apa-apa, tapi kamu bisa tanya agar jelas
sw Sijui kitabu kiko wapi, lakini hii ni nzuri sana kwa watoto wa shule yetu na wao
vi Tôi không biết quyển sách ở đâu, nhưng điều đó cũng không còn quan trọng với tôi
eu Ez dakit non dagoen liburua, baina hori ez da oso garrantzitsua eta orain hemen gara
ga Níl a fhios agam cá bhfuil an leabhar, ach tá sé ar an mbord anois
cy Dw i ddim yn gwybod ble mae y llyfr, ond mae yn iawn gyda fi
eo Mi ne scias, kie estas la libro, sed tio ne estas tre grava por ni
af Ek weet nie waar die boek is nie, maar dit is nou nie vir my so belangrik nie
ru Я не знаю, где эта книга, но для меня это уже не так важно
uk Я не знаю, де ця книга, але для мене це вже не так важливо
be Я не ведаю, дзе гэта кніга, але для мяне гэта ўжо не так важна
bg Не знам къде е книгата, но това вече не е толкова важно за мен
sr Не знам где је та књига, али то за мене више није тако важно
mk Не знам каде е книгата, но тоа веќе не е толку важно за мене
ar لا أعرف أين الكتاب لكن هذا ليس من المهم لي الآن
fa من نمی‌دانم این کتاب کجا است ولی برای من هم مهم نیست که آن را
ur مجھے نہیں معلوم کہ کتاب کہاں ہے لیکن یہ میرے لیے بہت اہم نہیں ہے
hi मुझे नहीं पता कि किताब कहाँ है लेकिन यह मेरे लिए बहुत ज़रूरी नहीं है
nb Jeg vet ikke hvor boka er, men den er ikke så viktig for meg nå
nb Vi har ikke noe mer å gjøre her, så nå vil jeg bare gå hjem uten deg
nn Eg veit ikkje kvar boka er, men ho er ikkje så viktig for meg no
fo Eg veit ikki hvar bókin er, men tað er ikki so nógv at gera við tað nú
az Mən bilmirəm bu nədir, amma o mənim üçün çox yaxşı olur
tl Hindi ko alam kung nasaan ang libro, pero wala na ito para sa akin ngayon
ga Níl sé anseo anois, ach tá sí ag an teach agus beidh siad leis níos déanaí
mr मला माहीत नाही की पुस्तक कुठे आहे, पण ते आता माझे नाही
ne मलाई थाहा छैन किताब कहाँ छ, तर यो मेरो लागि धेरै राम्रो हो
lo ຂ້ອຍບໍ່ຮູ້ວ່າປຶ້ມຢູ່ໃສ
km ខ្ញុំមិនដឹងថាសៀវភៅនៅឯណាទេ
my စာအုပ်ဘယ်မှာလဲ ကျွန်တော်မသိဘူး
pa ਮੈਨੂੰ ਨਹੀਂ ਪਤਾ ਕਿ ਕਿਤਾਬ ਕਿੱਥੇ ਹੈ
gu મને ખબર નથી કે પુસ્તક ક્યાં છે
bn আমি জানি না বইটা কোথায়
ta புத்தகம் எங்கே என்று எனக்குத் தெரியாது
te పుస్తకం ఎక్కడ ఉందో నాకు తెలియదు
kn ಪುಸ್ತಕ ಎಲ್ಲಿದೆ ಎಂದು ನನಗೆ ಗೊತ್ತಿಲ್ಲ
ml പുസ്തകം എവിടെയാണെന്ന് എനിക്കറിയില്ല
si පොත කොහෙද කියලා මම දන්නේ නැහැ
ja 本がどこにあるか知りません
zh 我不知道书在哪里
ko 책이 어디에 있는지 몰라요
th ฉันไม่รู้ว่าหนังสืออยู่ที่ไหน
el Δεν ξέρω πού είναι το βιβλίο
he אני לא יודע איפה הספר
ka არ ვიცი, სად არის წიგნი
hy Ես չգիտեմ, թե որտեղ է գիրքը
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
UNKNOWN = """
da Alle mennesker er født frie og lige i værdighed og rettigheder.
nb Alle mennesker er født frie og med samme menneskeverd og menneskerettigheter.
hr Sva ljudska bića rađaju se slobodna i jednaka u dostojanstvu i pravima.
sr-Latn Ona su obdarena razumom i svešću i treba jedni prema drugima da postupaju u duhu bratstva.
ms Semua manusia dilahirkan bebas dan samarata dari segi kemuliaan dan hak-hak.
kk Барлық адамдар тумысынан азат және қадір-қасиеті мен құқықтары тең болып дүниеге келеді.
yo Gbogbo ènìyàn ni a bí ní òmìnira; iyì àti ẹ̀tọ́ kọ̀ọ̀kan sì dọ́gba.
ku Hemû mirov azad û di weqar û mafan de wekhev tên dinyayê.
ug ھەممە ئادەم زاتىدىنلا ئەركىن، ئىززەت-ھۆرمەت ۋە ھوقۇقتا باپباراۋەر بولۇپ تۇغۇلغان.
yi יעדער מענטש װערט געבױרן פֿרײַ און גלײַך אין כּבֿוד און רעכט.
haw Hānau kū‘oka‘a ‘ia nā kānaka apau loa, a ua kau like ka hanohano a me nā pono kīvila.
st Batho bohle ba tswetswe ba lokolohile mme ba lekana ka botho le ditokelo.
mi Ko te katoa o nga tangata i te whanaungatanga mai e watea ana i nga here katoa.
"""


@pytest.mark.parametrize("line", TELL.strip().splitlines(), ids=lambda line: line.split(" ")[0])
def test_langs_is_set_from_the_text(line: str) -> None:
    code, _, words = line.partition(" ")
    assert guess(words) == code


def test_every_language_that_can_be_told_has_a_sentence_here() -> None:
    known = {code for code, *_ in language._SCRIPTS} | set(language._LISTS) - set(language._UNSPECIFIC)
    assert known - {line.split(" ")[0] for line in TELL.splitlines()} == set()


@pytest.mark.parametrize("words", SILENT)
def test_a_text_that_does_not_tell_has_no_language(words: str) -> None:
    assert guess(words) == ""


@pytest.mark.parametrize("line", UNKNOWN.strip().splitlines(), ids=lambda line: line.split(" ")[0])
def test_a_language_that_is_unknown_or_like_its_neighbour_is_taken_for_no_other(line: str) -> None:
    assert guess(line.partition(" ")[2]) == ""


def test_a_word_of_another_script_does_not_decide() -> None:
    assert guess("I love 寿司 and that is all there is to say") == "en"
    assert guess("今日はとても楽しい一日でした Thanks") == "ja"
    assert guess("µ is 10 and π is what you need") != "el"


def test_letters_that_are_put_together_are_told_like_the_whole_ones() -> None:
    words = "Tôi không biết đó là gì nhưng nó rất hay và tôi có một cái"
    assert guess(unicodedata.normalize("NFD", words)) == guess(words) == "vi"


def test_addresses_tags_and_handles_are_no_words() -> None:
    assert guess("#the #and @is.of.to https://example.com/the/and/is") == ""
    assert guess("Das ist nicht die Katze https://example.com/the/and/of #the") == "de"
