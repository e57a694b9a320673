//! Colours: the meanings of `render::Style`, and the parts of a screen.
//!
//! Sixteen colours by default, which suit the theme of the terminal. Without colours only
//! bold, dim, underlined and reversed text remain, so that nothing is said by colour alone.

use ratatui::style::{Color, Modifier, Style};

/// Whether the terminal's background is dark or light.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Background {
    /// Dark, or unknown.
    #[default]
    Dark,
    /// Light.
    Light,
}

impl Background {
    /// Reads what a terminal answers: `rgb:1e1e/1e1e/2e2e`, `rgba:…` or `#1e1e2e`.
    pub(crate) fn parse(color: &str) -> Option<Background> {
        let parts: Vec<&str> = match color.strip_prefix('#') {
            Some(digits) if digits.is_ascii() && digits.len() % 3 == 0 && !digits.is_empty() => {
                let width = digits.len() / 3;
                (0..3).map(|part| &digits[part * width..(part + 1) * width]).collect()
            }
            Some(_) => return None,
            None => color.split_once(':')?.1.split('/').take(3).collect(),
        };
        let [red, green, blue] = parts[..] else { return None };
        let part = |digits: &str| -> Option<f64> {
            let most = 16_u32.checked_pow(u32::try_from(digits.len()).ok()?)?.checked_sub(1)?;
            let number = u32::from_str_radix(digits, 16).ok()?;
            (most > 0).then(|| f64::from(number) / f64::from(most))
        };
        let brightness = 0.299 * part(red)? + 0.587 * part(green)? + 0.114 * part(blue)?;
        Some(if brightness > 0.5 { Background::Light } else { Background::Dark })
    }
}

/// Which colours to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThemeName {
    /// Sixteen colours, for the background that the terminal says it has.
    #[default]
    Auto,
    /// Sixteen colours on a dark background.
    Dark,
    /// Sixteen colours on a light background.
    Light,
    /// True colours on a dark background.
    Night,
    /// True colours on a light background.
    Day,
    /// No colours.
    Mono,
}

impl ThemeName {
    /// All, with their names in the configuration.
    pub const ALL: [(&'static str, ThemeName); 6] = [
        ("auto", ThemeName::Auto),
        ("dark", ThemeName::Dark),
        ("light", ThemeName::Light),
        ("night", ThemeName::Night),
        ("day", ThemeName::Day),
        ("mono", ThemeName::Mono),
    ];
}

/// The colours of everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    has_colors: bool,
    is_true_color: bool,
    background: Background,
}

impl Theme {
    /// The theme of this name, on this background if the name leaves it open.
    pub fn new(name: ThemeName, background: Background) -> Theme {
        let (is_true_color, background) = match name {
            ThemeName::Auto | ThemeName::Mono => (false, background),
            ThemeName::Dark => (false, Background::Dark),
            ThemeName::Light => (false, Background::Light),
            ThemeName::Night => (true, Background::Dark),
            ThemeName::Day => (true, Background::Light),
        };
        Theme { has_colors: name != ThemeName::Mono, is_true_color, background }
    }

    /// Whether there are colours.
    pub fn has_colors(&self) -> bool {
        self.has_colors
    }

    fn color(self, sixteen: Color, night: u32, day: u32) -> Style {
        if !self.has_colors {
            return Style::new();
        }
        Style::new().fg(match (self.is_true_color, self.background) {
            (false, _) => sixteen,
            (true, Background::Dark) => Color::from_u32(night),
            (true, Background::Light) => Color::from_u32(day),
        })
    }

    /// The look of a meaning.
    pub fn style(&self, meaning: render::Style) -> Style {
        use render::Style as Meaning;
        match meaning {
            Meaning::Plain => Style::new(),
            Meaning::Heading | Meaning::Strong => Style::new().add_modifier(Modifier::BOLD),
            Meaning::Dim => self.dim(),
            Meaning::Emphasis => Style::new().add_modifier(Modifier::ITALIC),
            Meaning::Struck => Style::new().add_modifier(Modifier::CROSSED_OUT),
            Meaning::Bad => self.color(Color::Red, 0x00f7_768e, 0x00c0_2f3f),
            Meaning::Good | Meaning::Literal => self.color(Color::Green, 0x009e_ce6a, 0x0048_7a1e),
            Meaning::Warning | Meaning::Constant => {
                self.color(Color::Yellow, 0x00e0_af68, 0x008f_5e15)
            }
            Meaning::Accent | Meaning::Keyword => {
                self.color(Color::Magenta, 0x00bb_9af7, 0x0078_47bd)
            }
            Meaning::Id | Meaning::Code | Meaning::Name => {
                self.color(Color::Cyan, 0x007d_cfff, 0x0007_7197)
            }
        }
    }

    /// Less important text.
    pub fn dim(&self) -> Style {
        if self.is_true_color && self.has_colors {
            return self.color(Color::Reset, 0x0073_7aa2, 0x0068_6c80);
        }
        Style::new().add_modifier(Modifier::DIM)
    }

    /// Lines between panes.
    pub fn border(&self) -> Style {
        self.dim()
    }

    /// The title of a pane that has the keys.
    pub fn title(&self) -> Style {
        self.style(render::Style::Accent).add_modifier(Modifier::BOLD)
    }

    /// The selected row of the pane that has the keys.
    pub fn selected(&self) -> Style {
        match (self.has_colors, self.is_true_color, self.background) {
            (false, ..) => Style::new().add_modifier(Modifier::REVERSED),
            (true, false, Background::Dark) => {
                Style::new().fg(Color::White).bg(Color::Blue).remove_modifier(Modifier::DIM)
            }
            (true, false, Background::Light) => {
                Style::new().fg(Color::Black).bg(Color::Cyan).remove_modifier(Modifier::DIM)
            }
            (true, true, Background::Dark) => Style::new().bg(Color::from_u32(0x0028_3457)),
            (true, true, Background::Light) => Style::new().bg(Color::from_u32(0x00d0_d5e3)),
        }
    }

    /// The selected row of a pane that does not have the keys.
    pub fn selected_elsewhere(&self) -> Style {
        Style::new().add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
    }

    /// Text that was searched for.
    pub fn hit(&self) -> Style {
        if self.has_colors && !self.is_true_color {
            return Style::new().fg(Color::Black).bg(Color::Yellow).remove_modifier(Modifier::DIM);
        }
        self.style(render::Style::Warning)
            .add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
            .remove_modifier(Modifier::DIM)
    }

    /// A key in a hint.
    pub fn key(&self) -> Style {
        self.style(render::Style::Id).add_modifier(Modifier::BOLD)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_terminals_say_whether_the_background_is_dark() {
        let table = [
            ("rgb:0000/0000/0000", Some(Background::Dark)),
            ("rgb:ffff/ffff/ffff", Some(Background::Light)),
            ("rgb:1e1e/1e1e/2e2e", Some(Background::Dark)),
            ("rgb:fd/f6/e3", Some(Background::Light)),
            ("rgba:fdfd/f6f6/e3e3/ffff", Some(Background::Light)),
            ("#fdf6e3", Some(Background::Light)),
            ("#000", Some(Background::Dark)),
            ("rgb:", None),
            ("rgb:zz/00/00", None),
            ("#", None),
            ("#éé", None),
            ("", None),
            ("rgb:fffffffffffffffff/0/0", None),
        ];
        for (answer, expected) in table {
            assert_eq!(Background::parse(answer), expected, "{answer}");
        }
    }

    #[test]
    fn without_colours_no_style_has_one() {
        let theme = Theme::new(ThemeName::Mono, Background::Light);
        let styles = [theme.selected(), theme.hit(), theme.key(), theme.title(), theme.dim()];
        for style in styles {
            assert_eq!((style.fg, style.bg), (None, None));
        }
        assert!(theme.selected().add_modifier.contains(Modifier::REVERSED));
    }
}
