//! Messaging, mail, planning and support.

use crate::check::is_mixed;
use crate::contexts::has_digits_and_letters;
use crate::pattern::Part::{Run, Text};
use crate::pattern::{
    ALNUM, DIGIT, DOTTED, HEX, LOWER_ALNUM, PADDED64, QUERY64, UPPER_ALNUM, URL64,
};
use crate::rule::{Rule, token};

/// One row per kind.
pub(crate) const ROWS: &[Rule] = &[
    token("discord-user-token", &["mfa."], &[Run(URL64, 80, 90)]).proven(is_mixed)
        .with(&["mf|a.dtZTWVoHh5MmZN-3chSuppSHFi8ZnsCW_ukA-ESOqgp57zac0IojEJhpSlwjZEAoudwObGYXUyXERjsI"], &["mf|a.P2RiCRwte_JLHococecp_HYcqc7sgZfX01MIzsCv", "zmf|a.fRet49Tdj9JxRAcKcerz6L7rMG1K80LvDg9ibvrnW_1SyLfLm1N0eNdt57VvRuDpFWUsXcPrfnjXAphC", "mf|a.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("slack-workflow-token", &["xwfp-"], &[Run(URL64, 24, 400)]).proven(has_digits_and_letters)
        .with(&["xw|fp-rbpqRFpNA_SUBNk4TqV_7Ry8"], &["xw|fp-IuvrVpZNDq08", "zxw|fp-UlYPd-fyicYqgm1sFf7_7kFs", "xw|fp-aaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("telegram-bot-path", &["telegram.org/bot"], &[Run(DIGIT, 8, 10), Text(":AA"), Run(URL64, 33, 33)])
        .with(&["te|legram.org/bot34176501:AA86marYDHH3YCjkU4tee1b7hOqJsb05SwQ"], &["te|legram.org/bot7589:AAsS18bpPkao0rHNQk", "zte|legram.org/bot24084478:AAxWVtf6NcjG-S9yU4tctyr6A7Df8cCX2u3", "te|legram.org/botaaaaaaaa:AAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("firebase-server-key", &[":APA91b"], &[Run(URL64, 100, 180)]).after(URL64, 8, 16)
        .with(&["gU|kSJKm3:APA91bV5PSUJ-nctSFQSGtkjq-Ic3GHpnl8wpoXezdcHitSq3UhQGAlHO-uSFKZYePrNVHqxQf79suiMoXaaIOBg7VJoIdjeYfOCMY8KfH"], &["9l|H:APA91bF9LISt2Jj1gYDjBo7jM5daRxzPUSi-O1iuGe3fpP", "Z4|pr3Bj0:APA91bnOykqwtRDFgxTs16TqnCorREFkEmuwhlnsC_YNGYIuc6ZSudsaFwZ44zWEC3Y9PjEEF6lch96GRKV-mSPP1jxui4jY_PfMr10yk2zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"]),
    token("onesignal-key", &["os_v2_app_", "os_v2_org_"], &[Run(LOWER_ALNUM, 90, 120)])
        .with(&["os|_v2_app_2bz13gfk5ihelfpj04lola9fi2sm952nk58mkprrr83ydlpkmrocd41flpma2q38xxgqyltrjl9luduqn3icfqywio", "os|_v2_org_fvh1di3ozgudatno3ko9why4y7vamifhy1bgbma26vligh6ucg2scyzj7soih9bxj3kahu9arib41x3gk2f62y65ed"], &["os|_v2_app_f1bnjtgle47zywmiize18b6db9rb3wofv3bi0szy2qbjb", "zos|_v2_app_v6wbgzt1mhb42ott6ioxpsg0h2lcxwjxeli2zxtw5jkgjj7zh4ut1sosdtjjs37z7djh8rnb93c0llgyowsdk223a9", "os|_v2_app_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("mailersend-token", &["mlsn."], &[Run(HEX, 64, 64)])
        .with(&["ml|sn.176add2797b7a42f5b92663913828f8752f71199114ef6af189a5e5e2b679c1b"], &["ml|sn.12df0f7ebe1483ce093a71df950f6484", "zml|sn.2337681b7c65f42dd3ac1b2278202c817a7ebb3266b0a64d9f038b8e31ec6090", "ml|sn.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("mailgun-login", &["api:"], &[Run(HEX, 32, 32), Text("-"), Run(HEX, 8, 8), Text("-"), Run(HEX, 8, 8)])
        .with(&["ap|i:caef88cf5e4f0dbfbf25d1b21e5e2568-52e0173b-e77bc942"], &["ap|i:79ea96f6c5e701ef-d743-b839", "zap|i:c1f228f1b1ae93249cd411ffd4c125d2-ff881c83-4fb93f9c", "ap|i:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-aaaaaaaa-aaaaaaaa"]),
    token("trello-token", &["ATTA"], &[Run(HEX, 60, 80)])
        .with(&["AT|TA229be52d2b22eb0d34b3b7565f3fe8330b92e62547d3be4dd1f76c0b33af"], &["AT|TA68271ebb0e04ab3fa10b19d83ad9dc", "zAT|TAf34b4225831987c6f54055611f3bc783d7c2aef6ab86428cf73004ac7723", "AT|TAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("clickup-token", &["pk_"], &[Run(DIGIT, 6, 10), Text("_"), Run(UPPER_ALNUM, 32, 32)])
        .with(&["pk|_670802_LFNCQIQFGJIH3LG5O0AOWLBVMI7WEPFX"], &["pk|_751_8FLMU83KH63HM1WY", "zpk|_708549_O51HMU1X06AQTWJCO239UMNLOUHXZOKW", "pk|_aaaaaa_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("salesforce-session", &["!AQ"], &[Run(DOTTED, 60, 120)]).after(ALNUM, 15, 18)
        .with(&["1m|keseIj04jWcqA!AQs6RgZfGp4qnDMaeGv_y6_WWl6.dkUVq9ywa5BHw2pBB5AF1BYlKyBt43Xfkq"], &["1G|U9ip!AQBnpGyNdkw4hYGd6LQyIw-ArD", "mw|8IM1y5RcLy65b!AQLRM2ZQv8snQ74p6-eXI8WVvLIP66P1ojv3SwOTJGCff3TRvKGhF2zrLLis2Gzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"]),
    token("zendesk-token", &["/token:"], &[Run(ALNUM, 40, 40)]).proven(is_mixed)
        .with(&["/t|oken:cEmnVieDn1ZzWnDgnmiNjuCZbT9YcyWbTob640H7"], &["/t|oken:LZLIArxbAQVJrG3z9SY0", "/t|oken:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("twitch-token", &["oauth:"], &[Run(LOWER_ALNUM, 30, 30)]).proven(has_digits_and_letters)
        .with(&["oa|uth:j8e58yfw9rzd4d9i4g7h6x57h6uitq"], &["oa|uth:l9nu57vvcaz3dyu", "zoa|uth:bjhcw4bs74t0bnvgu8x3oo6xj6wc3k", "oa|uth:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("linkedin-secret", &["WPL_AP1."], &[Run(ALNUM, 14, 20), Text("."), Run(PADDED64, 6, 12)]).proven(has_digits_and_letters)
        .with(&["WP|L_AP1.xw3aOfh4CbKhUv.a+lCB9"], &["WP|L_AP1.HTZu066.6cu", "zWP|L_AP1.YTanfaF0jIg5LI.mwzJKB", "WP|L_AP1.aaaaaaaaaaaaaa.aaaaaa"]),
    token("x-bearer-token", &["AAAAAAAAAAAAAAAAAAAAA"], &[Run(QUERY64, 60, 120)]).proven(is_mixed)
        .with(&["AA|AAAAAAAAAAAAAAAAAAAs01gyrwKYXQTxSmCJw5WTXAg56L8HO9TYjpDSZE2toHn7lxQuYNPtAsVykKj"], &["AA|AAAAAAAAAAAAAAAAAAAM5yD7hDoe5N0IC53hx3PAG1nIfkVv0", "zAA|AAAAAAAAAAAAAAAAAAAwkA2-Q63IIswkyvD6FX-d2o8mKRtlkcDPqVcjUUMTtO1YjXLSMXAIg8zTdDA", "AA|AAAAAAAAAAAAAAAAAAAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("getresponse-key", &["grpk_"], &[Run(LOWER_ALNUM, 30, 40)])
        .with(&["gr|pk_bjnvxeiv3pchngbvbacet3dadok327"], &["gr|pk_9drt07qvilw8bqg", "zgr|pk_yxfrnafaija5kpmhyupnlos5yi1bb5", "gr|pk_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("rootly-token", &["rootly_"], &[Run(HEX, 64, 64)])
        .with(&["ro|otly_b08c414647529459aed554d6c0db2e0282bbf9fcde78a09c6057725c316766dd"], &["ro|otly_e87bdfbe790b8a658094b152a5be64cb", "zro|otly_25f05f933dc881adc17b97f43a51aadcbffe927ad8ca3f446bf8075ca9ff64cb", "ro|otly_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
];
