"""Names of places that are known without asking anybody: countries, capitals, large cities."""

from __future__ import annotations

__all__ = ["PLACES", "PLACE_FORMS"]

# Left out is what is as well known as something else that people move to: "Phoenix", "Java".
_COUNTRIES = """
afghanistan/albania/algeria/andorra/angola/argentina/armenia/australia/austria/azerbaijan/
bahamas/bahrain/bangladesh/barbados/belarus/belgium/belize/benin/bhutan/bolivia/bosnia/botswana/
brazil/brunei/bulgaria/burkina faso/burundi/cambodia/cameroon/canada/chad/chile/china/colombia/
congo/costa rica/croatia/cuba/cyprus/czechia/czech republic/denmark/dominican republic/ecuador/
egypt/el salvador/england/eritrea/estonia/ethiopia/fiji/finland/france/gabon/gambia/georgia/
germany/ghana/great britain/greece/greenland/guatemala/guinea/guyana/haiti/honduras/hungary/
iceland/india/indonesia/iran/iraq/ireland/israel/italy/ivory coast/jamaica/japan/jordan/
kazakhstan/kenya/kosovo/kuwait/kyrgyzstan/laos/latvia/lebanon/liberia/libya/liechtenstein/
lithuania/luxembourg/madagascar/malawi/malaysia/maldives/mali/malta/mauritania/mauritius/mexico/
moldova/monaco/mongolia/montenegro/morocco/mozambique/myanmar/namibia/nepal/netherlands/
new zealand/nicaragua/niger/nigeria/north korea/north macedonia/northern ireland/norway/oman/
pakistan/palestine/panama/paraguay/peru/philippines/poland/portugal/qatar/romania/russia/rwanda/
samoa/saudi arabia/scotland/senegal/serbia/sierra leone/singapore/slovakia/slovenia/somalia/
south africa/south korea/korea/spain/sri lanka/sudan/sweden/switzerland/syria/taiwan/tajikistan/
tanzania/thailand/togo/trinidad/tunisia/turkey/turkmenistan/uganda/ukraine/united arab emirates/
united kingdom/uk/united states/usa/us/america/uruguay/uzbekistan/venezuela/vietnam/wales/yemen/
zambia/zimbabwe/europe/asia/africa
"""
_REGIONS = """
alabama/alaska/alberta/andalusia/arizona/arkansas/bavaria/british columbia/brittany/california/
catalonia/colorado/connecticut/cornwall/corsica/crete/delaware/florida/galicia/hawaii/idaho/
illinois/indiana/iowa/kansas/kentucky/kerala/lombardy/louisiana/madeira/maine/mallorca/manitoba/
maryland/massachusetts/michigan/minnesota/mississippi/missouri/montana/nebraska/nevada/
new hampshire/new jersey/new mexico/new south wales/normandy/north carolina/north dakota/
nova scotia/ohio/oklahoma/ontario/oregon/pennsylvania/provence/puerto rico/quebec/queensland/
rhode island/sardinia/saxony/sicily/south carolina/south dakota/tasmania/tennessee/texas/
tuscany/tyrol/utah/vermont/virginia/west virginia/wisconsin/wyoming/yorkshire/brooklyn/queens/
manhattan/bronx
"""
_CITIES = """
aachen/aarhus/aberdeen/abidjan/abu dhabi/abuja/accra/addis ababa/adelaide/ahmedabad/aleppo/
alexandria/algiers/alicante/almaty/amman/amsterdam/ankara/antalya/antwerp/ashgabat/asmara/
astana/asuncion/athens/atlanta/auckland/augsburg/austin/baghdad/baku/baltimore/bamako/bandung/
bangalore/bangkok/barcelona/bari/basel/beijing/beirut/belfast/belgrade/bengaluru/bergen/berlin/
bern/bielefeld/bilbao/birmingham/bishkek/bochum/bogota/bologna/bombay/bonn/bordeaux/boston/
brasilia/bratislava/bremen/brest/brighton/brisbane/bristol/brno/bruges/brussels/bucharest/
budapest/buenos aires/buffalo/busan/cairo/calcutta/calgary/cali/cambridge/canberra/cape town/
caracas/cardiff/casablanca/charlotte/chemnitz/chengdu/chennai/chicago/chisinau/chongqing/
christchurch/cincinnati/cleveland/cluj/cologne/colombo/columbus/copenhagen/cordoba/cork/
coventry/curitiba/dakar/dallas/damascus/dar es salaam/darmstadt/delhi/den haag/denver/detroit/
dhaka/dijon/doha/dortmund/dresden/dubai/dublin/dubrovnik/duisburg/dunedin/durban/dushanbe/
dusseldorf/düsseldorf/edinburgh/edmonton/eindhoven/erfurt/essen/exeter/faro/florence/fortaleza/
frankfurt/freiburg/fukuoka/galway/gdansk/geneva/genoa/ghent/glasgow/gothenburg/granada/graz/
grenoble/groningen/guadalajara/guangzhou/hague/haifa/halifax/halle/hamburg/hamilton/hangzhou/
hannover/hanoi/hanover/harare/havana/heidelberg/helsinki/hiroshima/ho chi minh city/hobart/
hong kong/honolulu/houston/hyderabad/indianapolis/innsbruck/islamabad/istanbul/izmir/jaipur/
jakarta/jeddah/jerusalem/johannesburg/kabul/kampala/karachi/karlsruhe/kassel/kathmandu/khartoum/
kiel/kiev/kigali/kingston/kinshasa/klagenfurt/kobe/koblenz/kolkata/konstanz/krakow/kuala lumpur/
kyiv/kyoto/köln/la paz/lagos/lahore/las vegas/lausanne/leeds/leicester/leiden/leipzig/lille/
lima/limerick/linz/lisbon/liverpool/ljubljana/london/los angeles/louisville/luanda/lucerne/
lusaka/lviv/lyon/lübeck/maastricht/madras/madrid/magdeburg/mainz/malaga/malmo/malmö/managua/
manchester/manila/mannheim/maputo/marrakech/marseille/mecca/medellin/melbourne/memphis/
mexico city/miami/milan/milwaukee/minneapolis/minsk/modena/mombasa/montevideo/montpellier/
montreal/moscow/mosul/mumbai/munich/munster/muscat/münchen/münster/nagasaki/nagoya/nairobi/
nantes/naples/nashville/new delhi/new orleans/new york/new york city/newcastle/nice/nicosia/
nottingham/novi sad/nuremberg/nürnberg/odense/odessa/osaka/oslo/ottawa/oxford/padua/palermo/
palma/panama city/paris/parma/perth/perugia/philadelphia/phnom penh/pisa/pittsburgh/plovdiv/
plymouth/porto/portland/porto alegre/potsdam/poznan/prague/pretoria/pristina/pune/pyongyang/
quito/rabat/ravenna/recife/regensburg/reims/rennes/reykjavik/riga/rio de janeiro/rio/riyadh/
rome/rosario/rostock/rotterdam/saarbrücken/sacramento/saigon/saint petersburg/salamanca/
salzburg/san antonio/san diego/san francisco/san jose/san juan/sana'a/santiago/santo domingo/
sao paulo/são paulo/sarajevo/savannah/seattle/seoul/seville/shanghai/sheffield/shenzhen/siena/
skopje/sofia/southampton/split/st. louis/st. petersburg/stavanger/stockholm/strasbourg/
stuttgart/sucre/surat/sydney/são luís/taipei/tallinn/tampa/tampere/tangier/tashkent/tbilisi/
tehran/tel aviv/thessaloniki/tianjin/tijuana/tirana/tokyo/toledo/toronto/toulouse/trier/trieste/
tripoli/trondheim/tucson/tulsa/tunis/turin/turku/tübingen/ulaanbaatar/ulm/uppsala/utrecht/
valencia/valletta/valparaiso/vancouver/varna/venice/verona/vienna/vilnius/warsaw/washington/
weimar/wellington/wien/wiesbaden/windhoek/winnipeg/wolfsburg/wroclaw/wuhan/wuppertal/würzburg/
xian/yangon/yaounde/yekaterinburg/yerevan/yokohama/york/zagreb/zanzibar/zaragoza/zurich/zürich
"""

PLACES = frozenset(
    name.strip()
    for names in (_COUNTRIES, _REGIONS, _CITIES)
    for name in names.replace("\n", "").split("/")
)
# Names that are made as those of places are: "Bad Nauheim", "Santa Fe", "Wolfenbüttel".
PLACE_FORMS = (
    r"(?:bad|san|santa|santo|saint|st\.?|sankt|los|las|port|fort|mount|lake|new|nueva|puerto|monte|"
    r"porto|cape|villa) [\w' -]{2,40}|"
    r"[\w' -]{2,40} (?:am|an der|upon|on the|on|sur|del|della|de la) [\w' -]{2,30}|"
    r"[\w' -]{2,40} (?:city|town|village|island|islands|valley|beach|springs|falls|county|heights|"
    r"province|district|suburbs?|countryside)|"
    r"(?:north|south|east|west|upper|lower|central|northern|southern|"
    r"eastern|western) [\w' -]{2,40}|"
    r"\w{2,20}(?:burg|burgh|borough|bury|stadt|heim|hausen|dorf|furt|berg|brück|brücken|"
    r"brunn|büttel|weiler|ingen|felden|hagen|hafen|walde|see|ville|ington|ford|wick|minster|shire|"
    r"grad|gorod|polis|pur|abad|stan|køping|köping|holm|borg|vik|vaara|ów|owice)"
)
