//! Cloud platforms and what runs on them.

use crate::check::is_jumbled;
use crate::commands::ngrok_token;
use crate::contexts::{azure_signature, has_digits_and_letters, is_not_example, nearby_secret};
use crate::pattern::Part::{Run, Text};
use crate::pattern::{
    ALNUM, ANY64, BASE32, BASE64, DOTTED, HEX, PADDED64, PADDING, TILDED, UPPER_ALNUM, URL64,
};
use crate::rule::{Rule, matched, named, token};

/// One row per kind.
pub(crate) const ROWS: &[Rule] = &[
    matched("aws-secret", &["AKIA", "ASIA"], nearby_secret)
        .with(&["AKIA|****************\t«aB3dE6gH9jK2mN5p|Q8sT1vW4yZ7bC0eF3hJ6/aB3»"], &["AKIA|QYLPMN5HHHFPZAM2 9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c", "AKIA is a prefix"]),
    token("aws-key-id", &["AKIA", "ASIA", "ABIA", "ACCA"], &[Run(BASE32, 16, 16)]).proven(is_not_example).anywhere_if(is_jumbled)
        .with(&["AK|IAUJZDEGXDNCF32EPF", "AS|IA3DHODZDOCIS2JHTL", "AB|IAGMXGEDN73U55XTPL", "x«AK|IAQYLPMN5HHHFPZAM2»"], &["AK|IAIOSFODNN7EXAMPLE", "AK|IAAAAAAAAAAAAAAAAA", "AK|IA2345", "SLOV|AKIANATIONALTHEATRES", "xAK|IAIOSFODNN7EXAMPLE"]),
    named("aws-secret-key", &["secret_access_key", "secretaccesskey", "aws_secret_key", "aws_secret"], &[Run(BASE64, 40, 40)]).entropy(40)
        .with(&["SECRET_ACCESS_KEY=«va|C/HVA9fRlHj+R59EHI/W8byY87DVANI2XJle/7»", "\"secret_access_key\": \"«rA|gvOO/alVPzhTzRJMtjamjtt1+nxA0iRLEg6WOO»\""], &["AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "secret_access_key: short"]),
    token("aws-bedrock-key", &["ABSK"], &[Run(BASE64, 100, 270), Run(PADDING, 0, 2)])
        .with(&["AB|SKPOdZP7o8qUkeH6d0jcK39qMjwIKYfe+XZZDaidHxZk2qKi3CbxKlJsGsouPtp/J33zYxoIVIKasdtYpHqZ0ZIafNpZmTGbOXPakl"], &["AB|SKWU2NGB8etdaxy5nygSxPj/Fbz7nS9y2bxas8xfW1HRyg5uekx6", "zAB|SKg3jXiYIjg21dhTor3wrBuFxRg7JWRgj2Un0jmiYf7FZd7voz5cV38UFpzVZvxpVhRfOUE9uS9rCfjKiwhXscO+kskTPHRpJEbK2H", "A|BSKaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("google-api-key", &["AIza"], &[Run(URL64, 35, 35)]).anywhere()
        .with(&["AI|zanpDDqBVmyI2w412oYvVdT-ODrtHphPI6g19", "z«AI|zawTk7aMAvB5WnkyV0xKGFv4DrJn0GMaYzpv0»"], &["AI|zabxbiP5O2CCtajNF-j", "A|Izaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("google-oauth-secret", &["GOCSPX-"], &[Run(URL64, 28, 28)]).anywhere()
        .with(&["GO|CSPX-Ai5Sh2ta35hKdMV62v_x0W8b8Yw9", "z«GO|CSPX-xuqtW-M9ZA5p9iGwCh1Z7_ycr_BA»"], &["GO|CSPX-XXXfpDaY2BW9Vy", "GO|CSPX-aaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("google-access-token", &["ya29."], &[Run(DOTTED, 40, 2048)])
        .with(&["ya|29.odWYXd4B59LxgYn8CQEwhU7JnevVUvp1a0YvHspj"], &["ya|29.63RGiEX9fhrwkcNnOZrU", "zya|29.K9qmok7Rl0kMlRp7YXcJ0VLign4poTB4nXrMhS3h", "ya|29.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("google-refresh-token", &["1//0"], &[Run(URL64, 40, 200)])
        .with(&["1/|/03Pqa6QVhA_6glYRHACwxPuCZOflk9q-sVGVShovb"], &["1/|/0VvdsjjdWa50gt4CgwTec", "z1/|/0mHbEuLxp2QNQqMyH7-zKgrbyvNPVTD2g4SY_09OX", "1|//0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    named("azure-storage-key", &["accountkey"], &[Run(BASE64, 86, 86), Text("==")]).entropy(40)
        .with(&["ACCOUNTKEY=«9C|oNxs01CWzEvYuv3QD72o/RawtSLt/4HRKOp0B8q/pDotXsxBd/ns+R7iO6r3iR67nOVEealGonX4DMLGUld0==»", "\"accountkey\": \"«az|aIRfqMJDTb6YpLVoFKY3QvP5M4X87wo8HKyG5xEzC083tdYXNwT/g/n1CjuFEWKapOkvQ84ZFkSd9xaqcR/V==»\""], &["ACCOUNTKEY=short", "accountkeys = mt|hRWufBBzyLwxpUvnvujAoF8OwvtcX4d0YtVL5Btf6oo9LmVx0dIr4LHi5qw4q1FQLnD9q4/Z8QcOjbkOyQAD=="]),
    named("azure-shared-key", &["sharedaccesskey"], &[Run(BASE64, 43, 43), Text("=")]).entropy(35)
        .with(&["SHAREDACCESSKEY=«R6|DJRR2KpOPq0TkSebPKWkg16iObLliIAkl8dN+pCg5=»", "\"sharedaccesskey\": \"«ZE|6NbksPpYnr5PkNJfjvo54FfNWDRDvSNLVUm20+XuV=»\""], &["SHAREDACCESSKEY=short", "sharedaccesskeys = Wm|YPd8gJTKbU55gaEa6Mh38eog+Als8IwkFzWiwZqxu="]),
    token("azure-client-secret", &["0Q~", "1Q~", "2Q~", "3Q~", "4Q~", "5Q~", "6Q~", "7Q~", "8Q~", "9Q~"], &[Run(TILDED, 31, 34)]).after(TILDED, 3, 3)
        .with(&["kn|20Q~cbpaEXhHkVoaOOg7Nx3ESnZTszxBIUV", "6g|y1Q~ESpLPngonA9nlM5sebDLZ3iQxgjEZTB", "XG|V2Q~kK0L2e9iDErqwnV38veDF2130Amj6xm"], &["y0|Q~3FQzVmCFBsCXxKv", "ye|q0Q~BjB8dnDRua80XPfJ9s64E9TGOhpPgZ0zzzzzzzzzzzzzzzzzzzz"]),
    token("azure-devops-token", &["AZDO"], &[Run(ALNUM, 4, 4)]).after(ALNUM, 76, 76).entropy(40)
        .with(&["fa|V023y1pbfa3WN60DzGYc9qcxCFwFFqQDbwj4jE3UKOuJy0oSrLWt5LFsbe6geF27lVLXIYSgJ3AZDOhEzH"], &["rH|OWxgiFXZVd5Uw0agVfRLcYaLWkcUolCfoWSEAZDO28", "rH|OWxgiFXZVd5Uw0agVfRLcYaLWkcUolCfoWSEWIGRyuuRxI0S1rZKeAUjOdpDB4AWa92176DXamAZDO9I11zzzzzzzzzzzzzzzzzzzz"]),
    matched("azure-sas", &["sig="], azure_signature)
        .with(&["https://a.blob.core.windows.net/c/b?sv=2022-11-02&sig=«IFE2I4L24SBMncQZ|QyVG4UTMWJYo6fdd722YSWPME5Q%3D»&se=2024", "?sig=«IFE2I4L24SBMncQZ|QyVG4UTMWJYo6fdd722YSWPME5Q»", "x&amp;sig=«N6muJ3yAdJTQ5AQi|ar0xciMM30mv6vIOQbZvBmZRwgA»"], &["&si|g=short", "?si|g=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "config=IFE2I4L24SBMncQZ|QyVG4UTMWJYo6fdd722YSWPME5Q"]),
    token("neon-key", &["napi_"], &[Run(ALNUM, 40, 80)])
        .with(&["na|pi_b3d7e6g9h2j5k8m1n4p7q0s3t6v9w2y5z8a1c4e7f0h3j6k9m2n5p8q1s4t7v0w3"], &["na|pi_create_reference", "zna|pi_b3d7e6g9h2j5k8m1n4p7q0s3t6v9w2y5z8a1c4e7f0", "na|pi_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("aiven-password", &["AVNS_"], &[Run(URL64, 15, 30)])
        .with(&["AV|NS_aB3dE6gH9jK2mN5pQ8s"], &["AV|NS_aB3", "zAV|NS_aB3dE6gH9jK2mN5pQ8s", "AV|NS_aaaaaaaaaaaaaaaaaaa"]),
    token("aiven-token", &["aivenv1"], &[Run(ANY64, 60, 600)])
        .with(&["ai|venv1aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"], &["ai|venv1aB3d", "zai|venv1aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"]),
    matched("ngrok-token", &["authtoken "], ngrok_token)
        .with(&["ngrok config add-authtoken «2aB3dE6gH9jK2mN5pQ8sT1vW4yZ|_7bC0eF3hJ6aB3dE6gH9j»"], &["ngrok config add-authtoken $NGROK_AUTHTOKEN", "the authtoken is kept in a file"]),
    token("digitalocean-token", &["dop_v1_", "doo_v1_", "dor_v1_"], &[Run(HEX, 64, 64)]).anywhere_if(is_jumbled)
        .with(&["do|p_v1_5967f532f3ab3cc2d0b698d5c7e41ba4ea5ee874ae7689447ab57a683536c449", "do|o_v1_9d863386ce10cd79e048c07dd7753eda83d7c58dfe0d5a0cf318656b3e6f0bad", "do|r_v1_e65c3b188cc102ddb8379c7ce65426f74bde94fb78c8d5f08b79affd2b49c12a", "z«do|p_v1_4b0062983475eb46c5296f62e338d74ff1fe4f7f505aef9ebdd25b001a3ff416»"], &["do|p_v1_d4a3baf69dad8199bfca8b6f3a6a9421", "do|p_v1_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("heroku-key", &["HRKU-AA"], &[Run(URL64, 50, 60)]).anywhere()
        .with(&["HR|KU-AAPP6PCd05oY7Miar5Wmcn4Rc1LhDxCnR4E2T6-5fRPV81NjYQda", "z«HR|KU-AAYrj1S01fbrfgY2zvVn6KiaB-Ww64171aNDDl_7ELUYlieKkRZN»"], &["HR|KU-AAVyGBz7G1jDSvMNMtVA0FxySk5", "HR|KU-AAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    named("heroku-api-key", &["heroku_api_key", "heroku_key", "heroku_token"], &[Run(HEX, 8, 8), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 12, 12)])
        .with(&["HEROKU_API_KEY=«94|48fb2f-c679-1ce6-80ce-2b27c8af6666»", "\"heroku_api_key\": \"«25|9bbc47-1fb3-be24-a0b8-0316f688d3e4»\""], &["HEROKU_API_KEY=short", "heroku_api_keys = 81|a65c20-11be-f2c3-28a7-2c5e5b77518b"]),
    named("cloudflare-key", &["cloudflare_api_token", "cloudflare_api_key", "cf_api_token", "cf_api_key", "cloudflare_token", "x-auth-key"], &[Run(URL64, 37, 40)]).entropy(32)
        .with(&["CLOUDFLARE_API_TOKEN=«73|6xZ7ciE0pCUdYFLwNfLZMlUui1Xo4ks9LhV»", "\"cloudflare_api_token\": \"«cN|29VHFtZeKiGs7nViUjyRQvj3yBGlx_dEWZe»\""], &["CLOUDFLARE_API_TOKEN=short", "cloudflare_api_tokens = j7|rZAfwpKTxuucNBRk7Bi2UHhU0AnKT5Qrznh"]),
    token("cloudflare-token", &["cfut_", "cfat_", "cfk_"], &[Run(ALNUM, 40, 60)])
        .with(&["cf|ut_RbxNeJbcC5R5UCKvMhbd8DGJEPcBjc04IKxqRKW3", "cf|at_xPmliRETYv50qWMu8TGhfbARn2aInACS0mxXsZx4", "cf|k_7mJfQRTWkNJToAMV3iT6ZKvsw1xPy81fZ5eDba6j"], &["cf|ut_pU8yBeTe9GAtLpaYQ1YE", "zcf|ut_gzQZ116XILcg1RCEAtxfIs6mT6Jb2h7tvBwMh777", "cf|ut_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("cloudflare-origin-key", &["v1.0-"], &[Run(HEX, 24, 24), Text("-"), Run(HEX, 146, 146)])
        .with(&["v1|.0-cd1c1bac7adac1a4b7d0b352-ad6074dce1118813830d71939b53182e4e349d98729e7c6be9ff907a76cc0b57aaf89691052be1ceb374dab4683f84d30d3fc4d83cee9b9bcca0fce9594dc72aa7a6d0018f99ddceb1"], &["v1|.0-c64328c0490c-257a632b96292794c9bce4850bbd0e7cb3593871c15d694c1957f8db03911731a6b2dc782", "zv1|.0-be0273dbc46dfcea25bab295-39ad5966d513b1d00909c30065f846d34530325fed10a47b851832b6ec017c1e1777155a0e9d8f27c7d9cf07255bc509cb3acac23db7c6e9b7d180a4742684ee75bb6cc69f67e48eb7", "v1|.0-aaaaaaaaaaaaaaaaaaaaaaaa-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("alibaba-key-id", &["LTAI"], &[Run(ALNUM, 12, 24)])
        .with(&["LT|AImYYrsXlIwLIR"], &["LT|AISXN8vM", "zLT|AIREEsw3HIdrHw", "L|TAIaaaaaaaaaaaa"]),
    token("tencent-key-id", &["AKID"], &[Run(ALNUM, 32, 32)])
        .with(&["AK|IDc2YIQPzgbyaNEfygfZ3ammq5cEj88HJv"], &["AK|IDG9CtRNpRd7Ii0nvd", "zAK|IDGufJf0wIs8XFmIj8UJ9BAflEQ7zrMYaH", "A|KIDaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("planetscale-token", &["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], &[Run(DOTTED, 32, 64)]).anywhere()
        .with(&["ps|cale_tkn_23Vhjc7IjsZ7akstAniaz420tMv5LJlL", "ps|cale_pw_Ag6FvZrvcOyk0mW5FiEDXKFIgFf58L11", "ps|cale_oauth_NpR9inbZExSVXHa6OKRjLDkobFQmken8", "z«ps|cale_tkn_zWnRRgf326APEWQJpV3YdvrvKajCBE59»"], &["ps|cale_tkn_Iea8sEp52SsucdKn", "ps|cale_tkn_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("supabase-key", &["sbp_"], &[Run(HEX, 40, 40)])
        .with(&["sb|p_01d4921da2e055c90eb6f2aed4c21a9dbf49a067"], &["sb|p_1c71b106e934d263b5ba", "zsb|p_e24bdb7ec83756378368f7e732d2e433ec56f24b", "s|bp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("supabase-secret", &["sb_secret_"], &[Run(URL64, 28, 44)]).anywhere()
        .with(&["sb|_secret_1wfuLJ_5JcJFe4vwJoV2Ue2_e9xn", "z«sb|_secret_jBMiwyU13Hj_Z449nOYkVOt9KGrD»"], &["sb|_secret_g5rlKXGXNJE0GZ", "sb|_secret_aaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("databricks-token", &["dapi"], &[Run(HEX, 32, 32)])
        .with(&["da|pia707e1448c828b4136d3b97429ab7bca"], &["da|pi0123", "zda|pi3f2a90bc3f2a90bc3f2a90bc3f2a90bc"]),
    token("fly-token", &["fm2_", "fm1r_", "fm1a_"], &[Run(PADDED64, 80, 4000)])
        .with(&["fm|2_7HFZLvuIjhq0WPVOCl8iCDwH9oamCJXJS8+Emzw2lyu2r6PVpAcpu7g6a9Hh0oy1F3rFF3+PHm7R5bG7", "fm|1r_PwX13EE7RGkb2jqibJKSIjGtxZ4DWzKzgw1YcKjtPb3hf7qnxKjmk3IvU/rINWrF3d18PI7tMQMs3w2x", "fm|1a_TutJqFSzC/rkZyhCAbG0+vkEVr6qK5UnThC3ej1hCjJclXObRHOG4up14htTd26E8ef+hS0msieJ/9Ir"], &["fm|2_MKSfQjwMdKJCVbzOBVeVZmj0gK+uLHMw2p0x7mDz", "zfm|2_s9ym1xy85p6QKy1F5WAGQyPSERNjNNQi0uwMupeb46PFUEW0YYHMuMJ8OyF9sxxYIZsi8KqlKumjWm5F", "f|m2_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("netlify-token", &["nfp_", "nfc_", "nfo_"], &[Run(ALNUM, 36, 40)])
        .with(&["nf|p_WkgfgRs5xEvS5c8rZOiDNnW2Json2JMiqrFC", "nf|c_PgmfoSB8XDcSJBn4GdlT45MsopxqvXVFMO16", "nf|o_BAtXtIRrqubU4spv8wMQ0GeLcpy2XHizlNoN"], &["nf|p_TE9klcx0byhxg5kogG", "znf|p_t75eS4AQ06v5SMdAt3QHcJluT3zILqRB8qQ3", "n|fp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("vercel-token", &["vcp_", "vci_", "vca_", "vcr_", "vck_"], &[Run(ALNUM, 24, 70)])
        .with(&["vc|p_SjzpwUqH3jjfToPrSygjc83d", "vc|i_yFnXtGvJB9nXPlctWJzG3Kk0", "vc|a_y4qYAQk2heOsicJdPBDtpXKs"], &["vc|p_aveHKHLiPdyR", "zvc|p_dUd3brSE738TU4QCvb0XKzLP", "v|cp_aaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("render-token", &["rnd_"], &[Run(ALNUM, 32, 32)])
        .with(&["rn|d_a9NWJdx6t6cO5Y3qeGRgJVsHr9T3XI82"], &["rn|d_ieFyI5ct9KbrlHp7", "zrn|d_aRsiMeTBPkJzK9jWgkzRd9YPGep2ko9F", "r|nd_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("scaleway-key-id", &["SCW"], &[Run(UPPER_ALNUM, 17, 17)]).proven(has_digits_and_letters)
        .with(&["SC|W2M7DXX4IVM1V5CVHJ"], &["SC|WLMSUFLNB", "zSC|WY5C8UHEJ260MC9J3B", "S|CWaaaaaaaaaaaaaaaaa"]),
    token("tailscale-key", &["tskey-"], &[Run(URL64, 20, 80)]).proven(has_digits_and_letters)
        .with(&["ts|key-auth-kYw3tQ4CNTRL-9fJx2PqLmZ7cVb4RtY8uWn3KdS6gHa5E"], &["ts|key-auth", "ts|key-aaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("vault-token", &["hvs.", "hvb.", "hvr."], &[Run(URL64, 24, 300)])
        .with(&["hv|s.eC8WcekOX445cQgRJ9LkKlbG", "hv|b.0ZCjxcduej-yfFXvk5wKpAPq", "hv|r.guuc1d6_qtbljx3SOeBfartv"], &["hv|s.hqpsG80Z4-G8", "zhv|s.7v9Hc5rmCHaXn1EQQ4bviljI", "h|vs.aaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("terraform-token", &[".atlasv1."], &[Run(URL64, 60, 70)]).after(ALNUM, 14, 14)
        .with(&["MC|E4cTE3SnOq5F.atlasv1.Ik--hxC6XlTNCe8wtupWu-6OOHMPbtHSD0C_2eYRQCWiGraJOX4BGbynUQuf"], &["dH|E2oQV.atlasv1.aM-KzFk-6Ihp7kDlD6CNKnyDYpFUPd", "dH|E2oQVbohlZ9n.atlasv1.lsIOD-EokO10mdvWwJcMhwR9GUyBKDM7--K27fMVDjW4FZh0yio5OmzuB3RQzzzzzzzzzzzzzzzzzzzz"]),
    token("pulumi-token", &["pul-"], &[Run(HEX, 40, 40)])
        .with(&["pu|l-8bcacf836ed5a148fd28cbc938e019bb8723d395"], &["pu|l-6793b2b023a60e4e81e1", "zpu|l-53ccaccfab54d946a2d207dc684477391c94c828", "p|ul-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("doppler-token", &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."], &[Run(DOTTED, 40, 80)])
        .with(&["dp|.pt.2yQt7ueiEXlZlxAedzOQdiRPAyJ1eNb1Pwhrn4ZE", "dp|.st.hK5B7powZBqeGTU3PnZylGg4FuA8rtHUJDtclDc7", "dp|.ct.paiMc4LVx1sNcOJLcNgczMIRiLOY1WLKDK14mdq0"], &["dp|.pt.5WlOkuVQ8S6xAgwodmgG", "zdp|.pt.RTFKLEygzmEaAEkmj62LbImqV1PJtN6l6S9nNUuv", "dp|.pt.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("infracost-key", &["ico-"], &[Run(ALNUM, 32, 32)])
        .with(&["ic|o-1YWcJhYQxrNKKoaPVRr8807dKByo10QR"], &["ic|o-BU8YcstABWEHJWsM", "zic|o-O5tN2dUAyW4SklDzUtvNEVd0fdVmoU66", "i|co-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
];
