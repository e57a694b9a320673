//! Identity, vaults, and access to clouds, beyond `clouds`.

use crate::check::is_mixed;
use crate::pattern::Part::{Run, Text};
use crate::pattern::{ALNUM, ANY64, DOTTED, HEX, LOWER_ALNUM, PADDED64, UPPER_ALNUM, URL64, WORD};
use crate::rule::{Rule, token};

/// One row per kind.
pub(crate) const ROWS: &[Rule] = &[
    token("1password-secret-key", &["A3-"], &[Run(UPPER_ALNUM, 6, 6), Text("-"), Run(UPPER_ALNUM, 6, 6), Text("-"), Run(UPPER_ALNUM, 5, 5), Text("-"), Run(UPPER_ALNUM, 5, 5), Text("-"), Run(UPPER_ALNUM, 5, 5), Text("-"), Run(UPPER_ALNUM, 5, 5)])
        .with(&["A3|-RZ24K3-O3A9GB-AHU8Q-T6T7J-YP9RK-VZ5K8"], &["A3|-Y0L-3UR-JS-B4-AG-FS", "zA3|-U3K9TW-1DSKRS-O8XO1-JV7S1-IGO62-89OXA", "A3|-aaaaaa-aaaaaa-aaaaa-aaaaa-aaaaa-aaaaa"]),
    token("1password-account-key", &["A3-"], &[Run(UPPER_ALNUM, 6, 6), Text("-"), Run(UPPER_ALNUM, 11, 11), Text("-"), Run(UPPER_ALNUM, 5, 5), Text("-"), Run(UPPER_ALNUM, 5, 5), Text("-"), Run(UPPER_ALNUM, 5, 5)])
        .with(&["A3|-VGHXW1-7WRUBEZWQGI-BE63L-JDUS4-ZQZ5V"], &["A3|-HN0-BSNJX-VG-CK-RN", "zA3|-UYLJKI-UEM4JXF8WBF-HWBG4-2N2R1-ZNYWY", "A3|-aaaaaa-aaaaaaaaaaa-aaaaa-aaaaa-aaaaa"]),
    token("stytch-secret", &["secret-live-", "secret-test-"], &[Run(URL64, 32, 60)]).proven(is_mixed)
        .with(&["se|cret-live-BQ99EB_RXMp33T_qUxYnpBokxpl9-QmD", "se|cret-test-D-0dj7v0gxHwkY1oZHTceSSSV0ykZxZd"], &["se|cret-live-qPc83K6g1aia98hO", "zse|cret-live-ET8oOLwdxWZC2RNUyg-VUfLhL7VcSHZu", "se|cret-live-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("workos-key", &["sk_a2V5"], &[Run(PADDED64, 40, 90)])
        .with(&["sk|_a2V5WwZAUh5qwMKM2vhw+VxEoLBhELNx2x+t+yGSajcv"], &["sk|_a2V5wNIC2Pm66HKiLrIS2PS5", "zsk|_a2V5FM01cD5k9AzvOQDLkX8ZifHs5uEI8gAZcwXvw9fO", "sk|_a2V5aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("adobe-secret", &["p8e-"], &[Run(LOWER_ALNUM, 32, 32)])
        .with(&["p8|e-634xjxh7nozrlubfo9res1ymn13rswsl"], &["p8|e-tvojmc7i92tvdxo0", "zp8|e-rthy1qk3et89qpvtrqfxsvu73esjqciq", "p8|e-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("defined-networking-key", &["dnkey-"], &[Run(URL64, 70, 90)])
        .with(&["dn|key-RjqqImrd6-4ifH4efudPU8j8jfztRODKkhY-s323hokI-vqHSoXgFRyZ46zrU8rTtQXDnG"], &["dn|key-XfTnw2xi3WqdfgczEFjKAnf2x-LDkGGiI9Q", "zdn|key-US2ne-6cv6v7PyXQLv8DTn39n0Rg0OIHpqdNuvmx1BWjBraj1Idxy6ta8MCKAT_lVIvI2A", "dn|key-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("intra42-secret", &["s-s4t2ud-", "s-s4t2af-"], &[Run(HEX, 64, 64)])
        .with(&["s-|s4t2ud-d02f5148688be9ba2ad41380fcd91a824e18ed7cbca5e3f99102bc824e5bcea0", "s-|s4t2af-c799fe68d32e2af946133b9e80c119e1c24cf3c50d08a0b8fcdb9a3ba5357ec6"], &["s-|s4t2ud-b1181037be8c8e011b121dc0c2a43dc2", "zs-|s4t2ud-54ea2f683c0edf64f046d420c8155028960f2da7f046872db4d898b45b60481b", "s-|s4t2ud-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("settlemint-token", &["sm_aat_", "sm_pat_", "sm_sat_"], &[Run(ALNUM, 16, 16)])
        .with(&["sm|_aat_6j0nOdtXB3ZVyR5Q", "sm|_pat_eddlyXJVf28HxoTa", "sm|_sat_hFcGjISVqw5hcbBm"], &["sm|_aat_nSUBij2V", "zsm|_aat_2XzJzSRrx4LF2w18", "sm|_aat_aaaaaaaaaaaaaaaa"]),
    token("clickhouse-key", &["4b1d"], &[Run(ALNUM, 38, 38)]).proven(is_mixed)
        .with(&["4b|1dYmRpUBcuatW3nICg8faQwQxn7JRJqiRQCG2ErV"], &["4b|1dpoB5OIbZcklw2LVfd9U", "z4b|1dIL7WuzOxOaJlLhRWkK3WplTmKiwWKEFzxLC47c", "4b|1daaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("maxmind-key", &["_mmk"], &[]).after(WORD, 36, 36)
        .with(&["Y6|1QS1_6HbKti56K3XOjPWdLdsQ4SvZqsi92_mmk"], &["6J|vANR_vPFmA4RYNqP_mmk", "zz|zzzzzzzzzzzzzzzzzz4OIL1H_Jnkc2Nr4Sono4KeSNV1XFQwxEOtM3_mmk"]),
    token("gitlab-session", &["_gitlab_session="], &[Run(HEX, 32, 32)])
        .with(&["_g|itlab_session=debde705b0530ae8ce825092d9e3bae8"], &["_g|itlab_session=8e7ab316171bfd1e", "_g|itlab_session=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("gitlab-routable-token", &["glrtr-", "glsudo-", "glwt-"], &[Run(DOTTED, 20, 300)])
        .with(&["gl|rtr-UbiHeG2hnywHm7XMNjyi", "gl|sudo-8pxgCHTdDTtxr6ucSJuV", "gl|wt-S2GnTXZ5ndkeWdJ_BehQ"], &["gl|rtr-L9owa.h0Uo", "zgl|rtr-JCW_escsNyxW6k6fs9n9", "gl|rtr-aaaaaaaaaaaaaaaaaaaa"]),
    token("aws-session-token", &["IQoJb3JpZ2lu", "FwoGZXIvYXdz"], &[Run(PADDED64, 100, 2000)])
        .with(&["IQ|oJb3JpZ2luFjyNhZTRdQ/cHTNoNG+ybb5VqdaSoxBw592uAovbBR2/9U+3n/jWMgccPcEpnuLOmLKzEwe1M4vPsP/Vfj46uu7RL4AVMUL1LDjM", "Fw|oGZXIvYXdzoNEtJSqEjQMJNKLPRFZoSZgRUbIh1d5+dxU5gGc2m8GWTpkcka/jWqk8G4c5pbI/rw0Mlt8QbSZSAhs7R1MMagI+gpvwtc5ZBYpJ"], &["IQ|oJb3JpZ2luaWA7zd035nRQLKzsMIFKyI4sU45NVwVGXZ+aIZbxVMpgzmRfHi", "zIQ|oJb3JpZ2luASjlE+jWexPbUp73Nwcda9KqKTshyxTZGuvfrL7uQjTj32nCJW27OKz919ifZz1MCZkdaSmf3XKF8hPWx+QDGcWT+SXNrgaexAwd", "IQ|oJb3JpZ2luaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("amazon-marketplace-key", &["amzn.mws."], &[Run(HEX, 8, 8), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 12, 12)])
        .with(&["am|zn.mws.a570ab9f-bcdc-213e-08f4-7aea93dcc622"], &["am|zn.mws.c756-0e-a6-d1-f9eb39", "zam|zn.mws.6d76ed40-261f-e92b-d6b7-2e4eebc0a099", "am|zn.mws.aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa"]),
    token("azure-service-key", &["JQQJ99"], &[Run(ALNUM, 20, 40)]).after(ALNUM, 52, 52)
        .with(&["Pf|3a2VrxjWhySRpZbYi5OxE4jRDIm0r4c7VHIvcpdoq387ECmf1hJQQJ997VuPhL6nzWQBHZ2fctG5"], &["vQ|lc2vRnuh0IuKgQzWL1JQQJ99c1oWhZhK", "XI|QL8pNjB9B27Cxaz3dLPHtDwIDt3cySaDwfBvUkq0oW2ctb8nUVJQQJ99pafKJkOjf8YRY3EiWUZSzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"]),
    token("azure-function-key", &["AzFu"], &[Run(ANY64, 8, 12)]).after(ANY64, 40, 48)
        .with(&["VP|jamg1Rq/LNufdWP2wEDG1czCcOp70Ni_ULNUWAAzFuNF9ogMMA"], &["6n|A5kdBwS_bA2V4WAzFuQxa", "5/|ozmsA3af_HDJxYww7_xcY_FhC5FblJ1kAfssIJAzFuH4zFRheNzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"]),
    token("yandex-token", &["t1."], &[Run(URL64, 30, 300), Text("."), Run(URL64, 86, 86)])
        .with(&["t1|.JXJ2BG0py-TVwO0gSIWF7-1EnCKCuI.uj8BJTZv-LKxdHIkwI8VTpGFAESRksmGfD_8jXy1UyRM1BSjhfB2pD0Q7nZErn4wGAIfO_8hh6SQSMCLRgTFEs"], &["t1|.J04Op-PH70V-3e3.bfM-nU0fFXoF3iwTt5OA0C7pgsSbv2bTAljw4CXEjWU", "zt1|.9wzud9JuTKF8gQ75AWCamF_Z3Qn78N.qL0j56QjGi0cA3tpBWFlpfcZj9byf15a6hotrvtGyC3XUeIxisYYMJttWRYFKEJGVXaxLfqixzDuoJlIOEESJA", "t1|.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("yandex-key", &["AQVN"], &[Run(URL64, 35, 38)]).proven(is_mixed)
        .with(&["AQ|VNjMpENwk51WKuEOWn02vpVIu4uoO5myM8gnX"], &["AQ|VNyrdIyRjrXqCq1J3-1", "zAQ|VN7-abQ4-fpQeHaR0KK6YL3Aa0MVmfaYI_w5E", "AQ|VNaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("yandex-oauth-token", &["y0_"], &[Run(URL64, 50, 60)]).proven(is_mixed)
        .with(&["y0|_dCDOyJJJM3kguKFLvOMQ97WSo076ZvpcX_oiX2GSQtqExuow7Y"], &["y0|_6ChHhhXtmV5ua3NXzqeNYoGov", "zy0|_e4gx3lHnEeyT_fA9FjAOMO9s9FcSMSOhfdo5fqH6zwdPZWK70c", "y0|_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("cloudflare-tunnel-token", &["eyJhIjoi", "eyJhIjogI"], &[Run(PADDED64, 100, 400)]).proven(is_mixed)
        .with(&["ey|JhIjoiJEr1SmCXrTyzizofu4Fa8+w+R6+uhqBdB2mvkLF5NnLW39BNxkdW1zebrTb1EvXjZeqWU/J+6p9t1x/t6EgrTDkNclfaKxsjkr2m"], &["ey|JhIjoiC1PoPx2YCRy7TPJ4lX/k5v2LsmGBy9HQqwOonWdKlhCPfnEt0a", "zey|JhIjoiUjo04RVk3CaWtmkGihNC5BmsIyZ3NzQyev1MJiZlOo2AOeRKMGu99kxY7J2eB9IIa0cBiN3tPWgogtqHLjstFHU3y47GuZPgthqz", "ey|JhIjoiaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("minisign-key", &["RWRTY0Iy"], &[Run(PADDED64, 150, 300)])
        .with(&["RW|RTY0IyfJP4Cj8KDxtcnK/zS+fqhOJvu6J2FVqZ7PVPF+mPYm/RKP1dGTeVEkBbxGCauyq15WpkOxcFnRmJnG6vvSDHYGkzVg38KlK/XGw4m7TGfTySem+ZMGLBidXMXX1Uv+sGsWZsX1Fmm1Q5JRn2HbsO8d"], &["RW|RTY0IyQuTPzmEzxKjZHvTGj20+g8vF/VOJ6KIAwt9ESFe0k/b+zUd+Q1CCzz1UAeyhisLA3TUKxS0Tazo", "zRW|RTY0IymVg3pnbiL3qNBSSqGG5/3bw7G5W+06kwydLymAT6RwFnqqhoOgwEPxxXpj6m7b8N+SyibUE7/+DSoz/IAnrM+aB2LmO6YgHiU4KmSLyLBcwJhzDLGE55Rqa40lpP3b1kROKXbW7qiqUPMThQKZoSHT", "RW|RTY0Iyaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("okta-token", &["SSWS 00"], &[Run(URL64, 40, 40)]).proven(is_mixed)
        .with(&["SS|WS 00aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6kLrR"], &["SS|WS 00aB3dE6gH9jK2", "zSS|WS 00aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6kLrR", "SS|WS 00aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("zuplo-key", &["zpka_"], &[Run(WORD, 32, 60)])
        .with(&["zp|ka_p8_NTTPOQGwZk32Z5inEMdThGljHSs1e"], &["zp|ka_gyNsl2CgDZHsQXav", "zzp|ka_FEQ5aEmgV9Mdt08Hop6gB1fHOHZmybyc", "zp|ka_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
];
