#!/bin/sh
# Installs annals @VERSION@ into a folder of yours, or removes it again.
#
#   sh install.sh            installs into ~/.local
#   sh install.sh --remove   removes exactly the files that it installed
#
# ANNALS_PREFIX names another folder than ~/.local. ANNALS_ARCHIVE names a .tar.gz of this
# release that is already here; otherwise it is downloaded, over HTTPS only. Either is compared
# with the checksum below before anything is unpacked. Root is not needed, and no file of a
# shell is changed.
#
# Everything is in functions, and the last line starts them: a script that was cut off on its
# way does nothing.
set -eu

version='@VERSION@'
base_url='@BASE_URL@'

checksum_of() {
    case "$1" in
@CHECKSUMS@
    *) return 1 ;;
    esac
}

fail() {
    printf 'annals: %s\n' "$1" >&2
    [ $# -lt 2 ] || printf 'hint: %s\n' "$2" >&2
    exit 1
}

find_target() {
    system=$(uname -s)
    machine=$(uname -m)
    case "$machine" in
    x86_64 | amd64) machine=x86_64 ;;
    aarch64 | arm64) machine=aarch64 ;;
    *) fail "there is no program for $machine" 'build from source: docs/install.md says how' ;;
    esac
    case "$system" in
    Darwin)
        # Under Rosetta, uname names the imitated machine.
        if [ "$(sysctl -n hw.optional.arm64 2>/dev/null || echo 0)" = 1 ]; then machine=aarch64; fi
        target=$machine-apple-darwin
        ;;
    Linux)
        target=$machine-unknown-linux-gnu
        # The static program runs everywhere; the other one is for glibc.
        if ! checksum_of "$target" >/dev/null || ! has_glibc; then
            target=$machine-unknown-linux-musl
        fi
        ;;
    *) fail "there is no program for $system" 'on Windows, use WSL' ;;
    esac
    checksum=$(checksum_of "$target") || fail "this release has no program for $target"
}

has_glibc() {
    getconf GNU_LIBC_VERSION >/dev/null 2>&1
}

sha256() {
    if command -v sha256sum >/dev/null 2>&1; then
        sha256sum "$1" | cut -d ' ' -f 1
    elif command -v shasum >/dev/null 2>&1; then
        shasum -a 256 "$1" | cut -d ' ' -f 1
    elif command -v openssl >/dev/null 2>&1; then
        openssl dgst -sha256 -r "$1" | cut -d ' ' -f 1
    else
        fail 'cannot compute checksums' 'install sha256sum, shasum or openssl'
    fi
}

download() {
    case "$1" in
    https://*) ;;
    *) fail "$1 is not an HTTPS address" ;;
    esac
    if command -v curl >/dev/null 2>&1; then
        curl --proto '=https' --tlsv1.2 --fail --silent --show-error --location --output "$2" "$1"
    elif command -v wget >/dev/null 2>&1; then
        wget --https-only --quiet --output-document="$2" "$1"
    else
        fail 'cannot download' 'install curl or wget, or set ANNALS_ARCHIVE'
    fi
}

install_files() {
    umask 022
    find_target
    stem=annals-$version-$target
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    archive=${ANNALS_ARCHIVE:-}
    if [ -z "$archive" ]; then
        archive=$work/archive.tar.gz
        download "$base_url/$stem.tar.gz" "$archive" || fail "cannot download $stem.tar.gz"
    fi
    found=$(sha256 "$archive")
    [ "$found" = "$checksum" ] ||
        fail "$archive has the checksum $found, not $checksum" 'download it again'
    tar -xzf "$archive" -C "$work"
    [ -d "$work/$stem" ] || fail "$archive has no folder $stem"
    mkdir -p "$prefix"
    list=$prefix/$record
    (cd "$work/$stem" && find . -type f | sed 's|^\./||' | sort) >"$work/list"
    while IFS= read -r file; do
        mkdir -p "$prefix/$(dirname "$file")"
        # A rename replaces a program that is running.
        cp -p "$work/$stem/$file" "$prefix/$file.new"
        mv -f "$prefix/$file.new" "$prefix/$file"
    done <"$work/list"
    mkdir -p "$(dirname "$list")"
    { cat "$work/list"; printf '%s\n' "$record"; } >"$list.new"
    mv -f "$list.new" "$list"
    "$prefix/bin/annals" --version
    printf 'installed in %s\n' "$prefix"
    case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) printf 'hint: %s is not on PATH; add it in the file of your shell\n' "$prefix/bin" ;;
    esac
    printf 'next: annals setup installs hooks in Claude Code; annals --demo shows an example\n'
}

remove_files() {
    list=$prefix/$record
    [ -f "$list" ] || fail "annals is not installed in $prefix by this script"
    while IFS= read -r file; do
        case "$file" in
        /* | ../* | */../* | '') fail "$list names a file outside of $prefix" ;;
        esac
        rm -f "$prefix/$file"
        # Folders that are empty now. Others stay.
        folder=$(dirname "$file")
        while [ "$folder" != . ] && rmdir "$prefix/$folder" 2>/dev/null; do
            folder=$(dirname "$folder")
        done
    done <<LIST
$(cat "$list")
LIST
    printf 'removed annals from %s; your archive and index stay\n' "$prefix"
}

main() {
    prefix=${ANNALS_PREFIX:-${HOME:?set HOME or ANNALS_PREFIX}/.local}
    record=share/annals/installed-files
    case "${1:-}" in
    '') install_files ;;
    --remove) remove_files ;;
    *) fail "unknown argument $1" 'use no argument, or --remove' ;;
    esac
}

main "$@"
