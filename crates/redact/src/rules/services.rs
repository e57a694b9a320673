//! Services that are not in the other tables: messaging, mail, payments,
//! monitoring, planning.

use crate::check::{is_jumbled, is_mixed};
use crate::contexts::{has_digits_and_letters, hook_path, sentry_key, teams_path};
use crate::pattern::Part::{Run, Text};
use crate::pattern::{ALNUM, ANY_HEX, DIGIT, DOTTED, HEX, PADDED64, QUERY64, UPPER_ALNUM, URL64};
use crate::rule::{Rule, matched, named, token};

/// Whether a token starts with a team number, or is mixed in a way that no name
/// ending in `xapp-` is.
fn is_slack(body: &str) -> bool {
    body.len() > 10 && body.bytes().take(10).all(|byte| byte.is_ascii_digit()) || is_mixed(body)
}

/// One row per kind.
pub(crate) const ROWS: &[Rule] = &[
    token("slack-token", &["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxe-", "xoxc-", "xoxd-", "xoxe.xoxb-", "xoxe.xoxp-", "xapp-"], &[Run(QUERY64, 24, 400)]).proven(has_digits_and_letters).anywhere_if(is_slack)
        .with(&["xo|xb-283746192837-283746192838-jxzo3Ap5Qq86pQwAMhPpL0o3", "xo|xp-283746192837-283746192838-283746192839-6770659b3023b2e016aa4020cd5b685a", "xa|pp-1-A0283746192-283746192837-ede37285fbfef70961ca8d4bd4b6fada164e125c4db18767a03fda0bdfa6a57a", "z«xo|xb-283746192837-283746192838-vnvRV7qeQ0Hv7tEZCXLpzv46»", "Bearer«xo|xp-283746192837-283746192838-283746192839-6770659b3023b2e016aa4020cd5b685a»"], &["linuxapp-deployment-7d9f8b6c5d-x2x4z", "xo|xb-your-token-goes-here-please", "xo|xb-123"]),
    matched("slack-webhook", &["hooks.slack.com/services/", "hooks.slack.com/workflows/", "hooks.slack.com/triggers/"], hook_path)
        .with(&["https://hooks.sl|ack.com/services/«T02837461/B02837465/IMmxCaDUX2rchunb8OhNOklC»"], &["https://hooks.slack.com/services/T00/B00/xxx", "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX"]),
    matched("discord-webhook", &["discord.com/api/webhooks/", "discordapp.com/api/webhooks/", "/api/v6/webhooks/", "/api/v7/webhooks/", "/api/v8/webhooks/", "/api/v9/webhooks/", "/api/v10/webhooks/"], hook_path)
        .with(&["https://disc|ord.com/api/webhooks/«283746192837461928/G2ubDFdpv6ZRrnfUvRgcAh8Y3jVqwoCXp6E06_dhmT37wo-HIdzH87u7JsjaBVYf1exV»", "https://ptb.disc|ordapp.com/api/v10/webhooks/«283746192837461928/G2ubDFdpv6ZRrnfUvRgcAh8Y3jVqwoCXp6E06_dhmT37wo-HIdzH87u7JsjaBVYf1exV»"], &["https://discord.com/api/webhooks/ID/TOKEN"]),
    matched("teams-webhook", &["webhook.office.com/webhookb2/", "outlook.office.com/webhook/", "outlook.office365.com/webhook/"], teams_path)
        .with(&["https://x.webhook.off|ice.com/webhookb2/«0f3b2c1d-aaaa-4bbb-8ccc-0f3b2c1d4e5f»", "https://outlook.off|ice.com/webhook/«0f3b2c1d-aaaa-4bbb-8ccc-0f3b2c1d4e5f@0f3b2c1d-aaaa-4bbb-8ccc-0f3b2c1d4e5f/IncomingWebhook/9f8e7d6c5b4a39281706f5e4d3c2b1a0/0f3b2c1d-aaaa-4bbb-8ccc-0f3b2c1d4e5f»"], &["https://x.webhook.office.com/webhookb2/ID"]),
    token("discord-token", &["MTA", "MTE", "MTI", "MTM", "MTQ", "MTU", "MTY", "MTc", "MTg", "MTk", "MjA", "MjE", "MjI", "MjM", "MjQ", "MjU", "MjY", "Mjc", "Mjg", "Mjk", "MzA", "MzE", "MzI", "MzM", "MzQ", "MzU", "MzY", "Mzc", "Mzg", "Mzk", "NDA", "NDE", "NDI", "NDM", "NDQ", "NDU", "NDY", "NDc", "NDg", "NDk", "NTA", "NTE", "NTI", "NTM", "NTQ", "NTU", "NTY", "NTc", "NTg", "NTk", "NjA", "NjE", "NjI", "NjM", "NjQ", "NjU", "NjY", "Njc", "Njg", "Njk", "NzA", "NzE", "NzI", "NzM", "NzQ", "NzU", "NzY", "Nzc", "Nzg", "Nzk", "ODA", "ODE", "ODI", "ODM", "ODQ", "ODU", "ODY", "ODc", "ODg", "ODk", "OTA", "OTE", "OTI", "OTM", "OTQ", "OTU", "OTY", "OTc", "OTg", "OTk"], &[Run(ALNUM, 20, 25), Text("."), Run(URL64, 6, 6), Text("."), Run(URL64, 27, 38)])
        .with(&["MT|AglUmDHLMQzrgsJremlN3U.NCrp1m.zjGW8Fh_gTzMjBd7bOV2ig2vyltY0_4_8PGtiT"], &["MT|A79Q7khWqOZIMKp3xeOE3k.4HEMC1.LkZMyAOOYj", "zMT|Alew6K9qY1hoEAQ5idBUtk.38vHim.t_hyFEizaRZDNJ2t_0-lVW-LetX"]),
    token("telegram-token", &[":AA"], &[Run(URL64, 33, 33)]).after(DIGIT, 8, 10)
        .with(&["35|044694:AAYB95LkOgKsMlUA932eTDZhiTtKX9RgYj2"], &["42|22:AAHDJ0j4DWB2K1H_bj", "42|220194:AA2dCFE0BbBKGsOKspSUYDjYscPxSKLiNn0zzzzzzzzzzzzzzzzzzzz"]),
    token("stripe-key", &["sk_live_", "rk_live_", "sk_test_", "rk_test_"], &[Run(ALNUM, 16, 247)])
        .with(&["sk|_live_RAMIuMzaPrvkuAvH", "rk|_live_LVLulBNdoHHQo0VI", "sk|_test_YLN6oYmSrVCA2Myi"], &["sk|_live_D7cSyU9K", "sk|_live_aaaaaaaaaaaaaaaa", "zsk|_live_Xx4XVOAdnKpK2Msq"]),
    token("stripe-webhook-secret", &["whsec_"], &[Run(PADDED64, 32, 80)]).anywhere()
        .with(&["wh|sec_r/XK+WS+umu5MFCoL/dzt0D29sN+NNVv", "z«wh|sec_KRAKHjQq7naChM/swfVn0Jzn66FxKoMp»"], &["wh|sec_49RS1RQJuQm1kQgZ", "wh|sec_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("twilio-key", &["SK0", "SK1", "SK2", "SK3", "SK4", "SK5", "SK6", "SK7", "SK8", "SK9", "SKa", "SKb", "SKc", "SKd", "SKe", "SKf"], &[Run(HEX, 31, 31)])
        .with(&["SK|0696831398a5e92b2ab491df341aa284", "SK|135cd12b1eafc9cbbadc62b6f79373f6", "SK|277f79a8ce6ef2c69f16cf8f8917fb22"], &["SK|045aeae08b2104c5", "zSK|033fed3a62e38e1076e5233612a5c703", "S|K0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    named("twilio-auth-token", &["twilio_auth_token", "twilio_token"], &[Run(HEX, 32, 32)]).entropy(25)
        .with(&["TWILIO_AUTH_TOKEN=«e5|3a224f43ad1f4c1831864596b72d3b»", "\"twilio_auth_token\": \"«99|4d8192419bd3a93c3e0c563c293acd»\""], &["TWILIO_AUTH_TOKEN=short", "twilio_auth_tokens = 6d|05dba10914843a5298dfe19f96171d"]),
    token("sendgrid-key", &["SG."], &[Run(URL64, 22, 22), Text("."), Run(URL64, 43, 43)])
        .with(&["SG|.ejIkN1P9Vea5eKpWelhAYS.aLQgK9lWiYcG5rTdippOnZOvGN6ZT0dWBPV-6SaOFpE"], &["SG|.16_OaYG2kJh.diMI_apPJ_MzGDcwd1QMP", "zSG|.i9xEIoF5h_gO67zQnCf1G9.LRHGcnXwmiI3LXfcSERXRjk6vjyEbLxWGxRgnrSilmB", "S|G.aaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("mailgun-key", &["key-"], &[Run(HEX, 32, 32)])
        .with(&["ke|y-ee320a9642c2707d6140968ec5d59be7"], &["ke|y-95caee3af29f5d8c", "zke|y-d8515b17cf1b35428736d6a1a62bcea7", "k|ey-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    named("mailgun-api-key", &["mailgun_api_key", "mailgun_key", "mailgun_signing_key"], &[Run(HEX, 32, 32), Text("-"), Run(HEX, 8, 8), Text("-"), Run(HEX, 8, 8)])
        .with(&["MAILGUN_API_KEY=«fd|d2a58efee070ce909ce114438ce9e5-e20d3709-0bfb3328»", "\"mailgun_api_key\": \"«b2|ec3f826b79dc31436da81bbdcbb7ea-5ebb5de8-b5ca6277»\""], &["MAILGUN_API_KEY=short", "mailgun_api_keys = c4|4219d7ab31ca0dd91b6bed40fc8db9-cd0340ef-ee9030f1"]),
    token("mailchimp-key", &["-us1", "-us2"], &[Run(DIGIT, 0, 1)]).after(HEX, 32, 32)
        .with(&["fa|f1797d293d976088f501ed322baff5-us1", "2e|005cde4eda40551931a5c537de3e34-us2"], &["ba|7483e76e362471-us1", "ba|7483e76e3624713248d1c791e3ebc1-us1zzzzzzzzzzzzzzzzzzzz"]),
    token("brevo-key", &["xkeysib-", "xsmtpsib-"], &[Run(HEX, 64, 64), Text("-"), Run(ALNUM, 16, 16)]).anywhere_if(is_jumbled)
        .with(&["xk|eysib-49d4f5fc98d669d798dbf7ab95e0e78c72cdba5e3d874de49e391a4bdacc64ab-skJ0tNtxZucJ14z8", "xs|mtpsib-1eda6ddadb6e0bbf7de37789810779955d257bc29b54d7977405f676c36ad37b-vcyfbvs9if1KI1rD", "z«xk|eysib-6dc8cff6403ab9dbc742d8d76174cb707ed14555de164aeb01b8d53dd404b775-SztN81bXJIzRrqLr»"], &["xk|eysib-a35869814d5987036d8851fad4f932c8-tfFKqW4m", "xk|eysib-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-aaaaaaaaaaaaaaaa"]),
    token("resend-key", &["re_"], &[Run(ALNUM, 8, 8), Text("_"), Run(ALNUM, 24, 24)])
        .with(&["re|_DBFeZtZB_2jHC6yJ27oqS9JyvBWEiUkCO"], &["re|_export_all", "re|_abcdefgh_ijk"]),
    token("shopify-token", &["shpat_", "shpca_", "shppa_", "shpss_"], &[Run(ANY_HEX, 32, 32)]).anywhere_if(is_jumbled)
        .with(&["sh|pat_d33CDCc8B9d5Df3dCAbb0CdDBd7A0dD6", "sh|pca_F5Ca4aAB7d1d47DFcD561bBbEcCcb9CC", "sh|ppa_Cb9f8f906e0bE32DAaB1E031a8A27Edf", "z«sh|pat_29e201DFeAbb7C384D6ceCadae85b8C8»"], &["sh|pat_852Cd9a0B3De908C", "sh|pat_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    named("datadog-key", &["dd_api_key", "dd_app_key", "dd-api-key", "dd-application-key", "datadog_api_key", "datadog_app_key"], &[Run(HEX, 32, 40)]).entropy(25)
        .with(&["DD_API_KEY=«eb|9993a5386ca6b0005d06fa0f6fe51f»", "\"dd_api_key\": \"«b2|7d257ae6aa0c368ac4daabd6c2dbb7»\""], &["DD_API_KEY=short", "dd_api_keys = 32|15a9892bdfc0fb356422911d237e90"]),
    token("new-relic-key", &["NRAK-"], &[Run(UPPER_ALNUM, 27, 27)]).anywhere_if(is_jumbled)
        .with(&["NR|AK-RJ7ZG8ONEN2S7GO3QJRKFUK5EDK", "z«NR|AK-0XH9A6FHMQPZ4A3D3W0II1QLVRD»"], &["NR|AK-L5GTZX4UNUVFJ", "NR|AK-aaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("new-relic-browser-key", &["NRJS-", "NRII-", "NRIQ-"], &[Run(ALNUM, 19, 32)])
        .with(&["NR|JS-mvFQQezYjibFqXrbr8g", "NR|II-OuzA56GOJNcMf32au2H", "NR|IQ-wq1B4CY283PwAXmJAsI"], &["NR|JS-fUgoa15do", "zNR|JS-gl8xFIMCpl5lheJqN0p", "NR|JS-aaaaaaaaaaaaaaaaaaa"]),
    token("new-relic-license", &["NRAL"], &[]).after(HEX, 36, 36)
        .with(&["72|c9cfa015c85171597d6b25a98f403739c6NRAL"], &["ac|bdfd389b5686239aNRAL", "ac|bdfd389b5686239a5ef4b7b4b9757d2566NRALzzzzzzzzzzzzzzzzzzzz"]),
    token("sentry-token", &["sntryu_"], &[Run(HEX, 64, 64)]).anywhere_if(is_jumbled)
        .with(&["sn|tryu_f327f07ce85b721d9d4fa716e32aa7cd8b9d5399eee94929cc708c81ad0c41f0", "z«sn|tryu_83ac574eb632a3d436e6f7dcc6e695973ce8cccdaec774ef73f35b82cac2e6a4»"], &["sn|tryu_debdabefdce30fc952ffd670cbcea772", "sn|tryu_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    matched("sentry-dsn", &[".ingest.sentry.io", ".ingest.us.sentry.io", ".ingest.de.sentry.io"], sentry_key)
        .with(&["https://«3f2|a90bc4d5e6f708192a3b4c5d6e7f8»@o283746.ingest.sentry.io/2837461"], &["https://o283746.ingest.sentry.io/api/2837461/store"]),
    token("linear-key", &["lin_api_", "lin_oauth_"], &[Run(ALNUM, 32, 64)])
        .with(&["li|n_api_OlT2hpArt08yKEyikWoVXgm7kP56PHzb", "li|n_oauth_pJj3w56TjwdsLOOCe8J7o5txkMenjmhX"], &["li|n_api_yHYPO3R4mllWB0TP", "li|n_api_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "zli|n_api_cjTioEz2PXHDaZYxXDRslDR9FK10oEI9"]),
    token("notion-token", &["ntn_"], &[Run(ALNUM, 44, 50)])
        .with(&["nt|n_957vsG4EsOre3fANZxp1KjeYZh8iisCUGPsojGy1G4Sn"], &["nt|n_s0gXFeN7SA7tQzrmwiUwqY", "znt|n_KEq82wSGbi3a5f5TiABhGiiQwkldBr6VDX0PXTdozgcx", "n|tn_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("notion-legacy-token", &["secret_"], &[Run(ALNUM, 43, 43)])
        .with(&["se|cret_3xLok8CsgJK5vjfsF0S65Wf5UpXG32CXKdlZPrCBrCa"], &["se|cret_o6epCzpHWEeGhaWAKOrMn", "zse|cret_5VwLkOJLBHJ8bqewO23N56WA6hmaHY7DVKICJAhTt4Y", "se|cret_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("figma-token", &["figd_", "figo_", "figu_"], &[Run(URL64, 40, 60)]).anywhere()
        .with(&["fi|gd_6jXstwH9bhK3ikHDBgTvvtRuiSvrSmLLrwtcwBZn", "fi|go_1f5hqh-n1LL9azgnB__DYhpXfHXWwLu_18R_uONs", "fi|gu_h2vTkSw0HjKlUzZ8GrTWmclIXDdGJra0MMg-aai1", "z«fi|gd_DQmJzfoirkVv8GdI9biZFnZFb67VzOjoe-ipxGl0»"], &["fi|gd_e-zPgl732D4e53bN5qUt", "fi|gd_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("grafana-token", &["glsa_"], &[Run(ALNUM, 32, 32), Text("_"), Run(ANY_HEX, 8, 8)]).anywhere()
        .with(&["gl|sa_RnMg85cFdsLsgSU7qmcBqr8qUB1zq7os_17C8d07A", "z«gl|sa_K9ALwSJ0CUCbKVdMSscSMiupwAlXfaSo_FB495FEa»"], &["gl|sa_U6I3RWERzOcMxlgY_b1b9", "gl|sa_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa_aaaaaaaa"]),
    token("grafana-cloud-token", &["glc_"], &[Run(PADDED64, 32, 400)]).anywhere()
        .with(&["gl|c_eyJ7unZPpHHgztT8twG3uz7UMp30In9R7uA", "z«gl|c_eyJ6mhykwzJk/Khnwbtw5Ez4HDX3QOTq+c4»"], &["gl|c_eyJ6nG53rQ/1o8ghV7k", "gl|c_eyJaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("airtable-token", &["pat"], &[Run(ALNUM, 14, 14), Text("."), Run(HEX, 64, 64)])
        .with(&["pa|tcnuO9lUY4lLEbg.049d345627f0b8a6ee907c13433295a723c9d988606e28760f0b21016bb262a1"], &["pa|tgapSIKI.8708a73ca3304f51b9766884a8987e45", "zpa|t9j7JfVY2beDxlh.1fae83d54b1989fea7be4e573c9ce573dc40fdd69f1986b7933520570a5e1408", "p|ataaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("square-token", &["sq0atp-", "sq0csp-", "sq0idp-", "EAAAl", "EAAAE"], &[Run(URL64, 22, 80)]).proven(has_digits_and_letters)
        .with(&["sq|0atp-PVLlf3dpfWTxlMPU0f0y1t", "sq|0csp-XC3ONQbj0TOwhbPv4ICYFa", "EA|AAlTvQpilvmwCQRNW4HEf6UZU"], &["sq|0atp-9Ybii26McV0", "zsq|0atp-Z-27KGAgVwXgk79_FRIyUW", "sq|0atp-aaaaaaaaaaaaaaaaaaaaaa"]),
    token("facebook-token", &["EAAG", "EAAB", "EAAC", "EAAD", "EAAJ", "EAAM"], &[Run(ALNUM, 80, 400)])
        .with(&["EA|AGQ8XVykFy1ZlIHoO379VOxGOjdapEnXNffUyddZbIJxXdZfy9EdfeVq2fsG9fuhrqdam3k5u0dHg3jucU", "EA|ABMDLjPpyrBkx3mab9xdqlo6Dac5wuIMvHLBNhskdh2aInnJig5cbCVgueS2SsfbeaUOf2COXXthr5ZqTX", "EA|ACXFJheI3o1dXyyDU8ZOfHphObChfLYZmRusQbPuVynMeLwyXbDtTKcKwdWeAmOnPjsJIoIvswxDPJUogn"], &["EA|AGYh2AOwbGhHVSECokYj6Ml0gFiZUEe3I2KO1bXrBF", "zEA|AGJHQzVSIfotogdPhJy0g6N9QBgNWme5oBpD4rshUmjeKQHopJzzYeihG0TsWA9Mgi69c0oYJXWvBA9oR9", "E|AAGaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("dynatrace-token", &["dt0c01.", "dt0s16."], &[Run(UPPER_ALNUM, 24, 24), Text("."), Run(UPPER_ALNUM, 64, 64)])
        .with(&["dt|0c01.HIPTPYYBGF7D7YLDJI1JB6MC.4X0J4LLFSVNALI35T1Z6SC9B4D5ZFZ3JCBC59U4ZBUARW9L5AVOYI0JM4TZ8ALSZ", "dt|0s16.CL56MC2MAXC6WDKW01RCCJA6.ULZCLCBW9W67877FNKQUCR9GQOGF0OGI5S0QCFZPOYBVQIQ2RPITNE8VU0YTT0D9"], &["dt|0c01.W9PKK25CEVOL.95DXKGDL8LNOPTFLIDU2PKI2TDTPEEBB", "zdt|0c01.AVUJ23K5M688ECYH50VNPFET.GV3DMYZAV3025ESR7WIHVT7FOJX1ADT2FKTFNVKQKMVAJOW7F1NTM716R8Y8GQ0G", "dt|0c01.aaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("contentful-token", &["CFPAT-"], &[Run(URL64, 43, 43)])
        .with(&["CF|PAT-GQB8x90WlykrRxljX9VMn1NeohFpoZI4IeeuYI86VGS"], &["CF|PAT-dSssUGCoLFBc7Dde-gAEf", "zCF|PAT-tImOPQt-Zw07qwXye9RVFNejJOjfqEgT6xAP1IVjstD", "CF|PAT-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("typeform-token", &["tfp_"], &[Run(DOTTED, 44, 70)])
        .with(&["tf|p_HTs4QVHLggRY1yf21uY7yfRTC5eVr1oIDOwoYUONnvKh"], &["tf|p_8p6EmXuOsk0Pa0IyQox42W", "ztf|p_taC4qyxfcsxa5NjkG19Exw85U2d8XWVZciTHm4WEI120", "t|fp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("adafruit-key", &["aio_"], &[Run(ALNUM, 28, 28)])
        .with(&["ai|o_QGPFEDq8huLVezPEDtLmE0Idhbx5"], &["ai|o_MOqFCm5uOBWBrW", "zai|o_J30MS4I7Rwd8SJozSyfMjWxexg0K", "a|io_aaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("easypost-key", &["EZAK", "EZTK"], &[Run(ALNUM, 54, 54)])
        .with(&["EZ|AKzANZ1uUsO1ckfuB0Gsh7jhCUgWw7eBUvL3ljMy9rWAi4RDrDRcsAPX", "EZ|TKrV4DTxqLOt7JInbzMKJBXCZoUm8F3sCsWohiZEdUUc7FnynEJGxpH0"], &["EZ|AKMnc6w0Ui6nTJzbhsMrt0NAKfyUT", "zEZ|AKGnEx7EcXGeFPm2Ox8wUgv0tvIgywW7M4qCleeeVvx9ivnSengL8raL", "E|ZAKaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("shippo-token", &["shippo_live_", "shippo_test_"], &[Run(HEX, 40, 40)]).anywhere_if(is_jumbled)
        .with(&["sh|ippo_live_77a44ba873091a075a6f156935464abc32f23ae5", "sh|ippo_test_5ecfde6a9a8026c83166a550e16243794a1a3c25", "z«sh|ippo_live_2794baaf2de89d2b7f2c91ff3adae9114a645047»"], &["sh|ippo_live_6af1a53818ff1dfad201", "sh|ippo_live_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("duffel-token", &["duffel_live_", "duffel_test_"], &[Run(URL64, 43, 43)]).anywhere()
        .with(&["du|ffel_live_pjqvX6SmOI8EFPmidMpfI1DQ8ToTj6TlPX2m5agYRvd", "du|ffel_test_Bj6ZlgkSXi1-6Lt-yXw6PYrH_GEmfldrc8bcJsHJMLv", "z«du|ffel_live_jZtmUxiFJERljFbtO1StLYjC_MqFiLL2wCXe4SpXB_y»"], &["du|ffel_live_O2tGwT2re9H7qmjEYJTyp", "du|ffel_live_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("intercom-token", &["dG9rO"], &[Run(PADDED64, 48, 70)])
        .with(&["dG|9rOaSv6anBgwyXokP+y6I+P4OMzh4DxT2CkyfWDJYMwgqZ9dVvdBySZ42e"], &["dG|9rOd5Ki7gpyVi2eTNP8CGu2N/Ml8WW", "zdG|9rO9ptbKkUlv+ac5BXFE78tcOoTIKkA4snov9ve6h8di72201/ja6Q6Fom", "dG|9rOaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("posthog-key", &["phx_"], &[Run(ALNUM, 40, 50)])
        .with(&["ph|x_u89J0HW38bA4YiNSBKi6H3PNdwebqwCcUABWhWKf"], &["ph|x_osaXXbjDjY4nEOky6VuD", "zph|x_9B6r06ApBRtZzXcVd1BIpTvAWwtnLQ3dvX3ccvcE", "p|hx_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("razorpay-key", &["rzp_live_", "rzp_test_"], &[Run(ALNUM, 14, 14)])
        .with(&["rz|p_live_dFRrNR2sG8BeqP", "rz|p_test_F3jbdEDHItlFVq"], &["rz|p_live_ftuqJQg", "zrz|p_live_3Ba2KqloArltDU", "rz|p_live_aaaaaaaaaaaaaa"]),
    token("flutterwave-key", &["FLWSECK-", "FLWSECK_TEST-"], &[Run(ALNUM, 32, 40)])
        .with(&["FL|WSECK-SbePGajKmUPWnxWpvnTN88pf2tSSUsvg", "FL|WSECK_TEST-tHWocj48RWAPrxnK3R1GR6rFXT3uurhF"], &["FL|WSECK-short"]),
    token("hubspot-token", &["pat-na1-", "pat-eu1-"], &[Run(HEX, 8, 8), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 12, 12)])
        .with(&["pa|t-na1-67d37185-f9f4-6b96-28f6-95ac9718806c", "pa|t-eu1-08e0eb6c-6e91-4f31-f954-65be43d51085"], &["pa|t-na1-ee00-78-fc-14-0816d9", "zpa|t-na1-73f50632-a079-5f6b-215a-c791862dc084", "pa|t-na1-aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa"]),
    token("launchdarkly-key", &["sdk-", "api-", "mob-"], &[Run(HEX, 8, 8), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 12, 12)])
        .with(&["sd|k-0f3b2c1d-a1b2-4bbb-8ccc-0f3b2c1d4e5f", "ap|i-0f3b2c1d-a1b2-4bbb-8ccc-0f3b2c1d4e5f"], &["sd|k-0f3b2c1d", "api-reference", "zsd|k-0f3b2c1d-a1b2-4bbb-8ccc-0f3b2c1d4e5f"]),
    token("mapbox-token", &["sk.eyJ", "tk.eyJ"], &[Run(URL64, 20, 300), Text("."), Run(URL64, 20, 30)])
        .with(&["sk|.eyJ1IjoiYW5uIiwiYSI6ImNrOWFiM2RlNiJ9.aB3dE6gH9jK2mN5pQ8sT1v"], &["sk|.eyJ1IjoiYW5uIiwiYSI6ImNrOWFiM2RlNiJ9", "zsk|.eyJ1IjoiYW5uIiwiYSI6ImNrOWFiM2RlNiJ9.aB3dE6gH9jK2mN5pQ8sT1v"]),
    token("dropbox-token", &["sl.A", "sl.B", "sl.C", "sl.u.", "sl."], &[Run(URL64, 80, 1500)])
        .with(&["sl|.BaB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6aB3dE6gH9jK2mN5pQ", "sl|.u.AaB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"], &["sl|.BaB3dE6gH9jK2mN5pQ8sT1v", "zsl|.BaB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"]),
];
