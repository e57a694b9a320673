//! Secrets in forms that programs print or read: lists of recovery codes, seeds of
//! authenticators (`codes`), cookies, links that log in (`links`), files and tables whose
//! heading says what they hold (`listings`), and arrays of numbers (`arrays`).

mod announced;
mod answers;
mod arrays;
mod codes;
mod links;
mod listings;
mod lists;
mod pages;
mod resources;

pub(crate) use announced::{announced_password, login_rows, wallet_words};
pub(crate) use answers::{
    agent_passwords, appliance_password, keytab_key, login_file, mail_answer, nkey_seed,
    recovery_key, registry_bytes, setting_answer, token_below, user_rows,
};
pub(crate) use arrays::{array_start, key_array, named_array};
pub(crate) use codes::{
    access_code, authenticator_seed, paired_codes, product_key, recovery_codes, wifi_code,
};
pub(crate) use links::{cookie_row, hook_key, login_link, named_cookie, proof_header};
pub(crate) use listings::{
    account_keys, generated_result, key_file, last_word, list_login, printed_hash, salt_constant,
    tunnel_keys, written_key,
};
pub(crate) use lists::{listed_values, printed_rows};
pub(crate) use pages::{cookie_rows, encoded_pair, field_below, login_code, token_shown_once};
pub(crate) use resources::resource_secret;
