"""English: the kinds of objects by which predicates are told apart."""

from __future__ import annotations

__all__ = [
    "ADDRESSES",
    "COUNTRIES",
    "HOMES",
    "OFFICES",
    "OWNED",
    "PARTICIPLES",
    "QUARTERS",
    "ROLES",
]

COUNTRIES = (
    "germany|france|italy|spain|portugal|austria|switzerland|poland|denmark|sweden|norway|"
    "finland|iceland|ireland|scotland|wales|england|(?:united kingdom|uk|gb|great britain)|"
    "netherlands|belgium|luxembourg|greece|turkey|hungary|romania|bulgaria|serbia|croatia|"
    "slovenia|slovakia|ukraine|russia|georgia|armenia|israel|egypt|morocco|nigeria|kenya|"
    "south africa|india|china|japan|(?:south )?korea|vietnam|thailand|indonesia|australia|"
    "new zealand|canada|mexico|brazil|argentina|chile|peru|colombia|"
    "(?:usa?|united states(?: of america)?|america)|czech(?:ia| republic)|"
    "europe|asia|africa|estonia|latvia|lithuania|taiwan|philippines|malaysia"
)
HOMES = r"(?:an?|my|our|his|her|their|your) .+"
# "12 Rue Oberkampf", "Hauptstraße 5b"; "the 11th arrondissement" is a part of a town.
ADDRESSES = r"\d+ ?[a-z]? (?!.*\d).+|.+ \d+ ?[a-z]?"
QUARTERS = (
    r"(?:.* )?(?:arrondissement|district|quarter|neighbou?rhood|suburbs?|borough|ward|"
    r"(?:city|town) cent(?:re|er)|downtown|outskirts)(?: .+)?|\d+(?:st|nd|rd|th) .+"
)
# Where in a firm somebody works, or at what: no other firm.
OFFICES = (
    r"(?!(?:.* )?(?:post|patent|foreign|home|tax|law) office)(?:.* )?(?:offices?|branch|sites?|"
    r"headquarters|hq|campus|location|plant|warehouse|depot|department|team|division|subsidiary|"
    r"reception|(?:front|help|service|information) ?desk|counter|table|desk|booth|stand|airport|"
    r"train station|harbou?r|docks|mall|trade fair|front line|shop floor|till)(?: (?:in|of|at|on|"
    r"near|for) .+)?|(?:gate|building|floor|room|hall|line|window|counter|till|unit) \w+"
)
ROLES = (
    r"(?:(?:same|old|new|local) )?(?:boss|mayor|ceo|cto|cfo|owner|founder|manager|director|"
    r"minister|"
    r"president|senator|governor|king|queen|prince|princess|bishop|architect|lawyer|doctor|"
    r"dentist|couple|lady|guy|man|woman|neighbou?rs?)(?: .+)?|[\w-]+ family"
)
PARTICIPLES = (
    r"(?:been|gone|done|won|lost|left|made|met|had|got|sold|bought|built|kept|read|run|come|become|"
    r"begun|paid|said|told|quit|cut|hit|put|set|let|felt|sent|spent|slept|swum|sung|found|held|"
    r"heard|learnt|understood|stood|taught|thought|brought|caught|fought|eaten|taken|given|written|"
    r"driven|chosen|spoken|broken|stolen|forgotten|fallen|risen|grown|known|seen|shown|flown|worn|"
    r"drunk|drawn|thrown)"
)
# What is had at a time, and may be had at another one.
_DATES = (
    r"(?:appointment|meeting|flight|deadline|exam|test|interview|call|date|reservation|booking|"
    r"shift|"
    r"class|lesson|trip|train|session|party|visit|(?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"tomorrow|today|tonight|january|february|march|april|may|june|july|august|september|october|"
    r"november|december)"
)
# What somebody may have several of: no "budget of 500", which there is one of.
OWNED = rf"(?!.*(?:\d|\b(?:of|{_DATES})\b))"
