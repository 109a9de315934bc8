//! A terminal's colours and weights as a fixed set of CSS classes.

use anstyle_parse::Params;

/// Colours and weights out of a fixed set; a stylesheet makes every pair readable.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Style {
    /// 0 is the page's own ink, 1 to 16 are the terminal's colours.
    fore: u8,
    back: u8,
    weights: u8,
}

const BOLD: u8 = 1;
const DIM: u8 = 2;
const ITALIC: u8 = 4;
const UNDERLINE: u8 = 8;
const STRIKE: u8 = 16;
const INVERSE: u8 = 32;
const CONCEAL: u8 = 64;

impl Style {
    /// Concealed, or painted in the colour of its background: meant not to be seen.
    pub(super) fn hides(self) -> bool {
        self.has(CONCEAL) || (self.fore != 0 && self.fore == self.back)
    }

    /// The CSS classes. A background wins over a foreground, so that no pair is unreadable, and
    /// text that was meant to be hidden gets a class of its own.
    pub(super) fn class(self) -> String {
        let (fore, back) = if self.has(INVERSE) { (self.back, self.fore.max(1)) } else { (self.fore, self.back) };
        let colour = match (self.hides(), back, fore) {
            (true, _, _) => Some("hid".to_owned()),
            (false, 1.., _) => Some(format!("b{}", back - 1)),
            (false, 0, 1..) => Some(format!("f{}", fore - 1)),
            (false, 0, 0) => None,
        };
        let weights = [(BOLD, "sb"), (DIM, "sd"), (ITALIC, "si"), (UNDERLINE, "su"), (STRIKE, "ss")];
        let weights = weights.iter().filter(|(bit, _)| self.has(*bit)).map(|(_, class)| (*class).to_owned());
        colour.into_iter().chain(weights).collect::<Vec<_>>().join(" ")
    }

    /// Takes the codes of one `ESC [ … m`.
    pub(super) fn apply(&mut self, params: &Params) {
        let mut codes = params.iter();
        while let Some(code) = codes.next() {
            let first = code.first().copied().unwrap_or(0);
            if !matches!(first, 38 | 48) {
                self.set(first);
                continue;
            }
            let rest = if code.len() > 1 { code[1..].to_vec() } else { extended(&mut codes) };
            match (first, palette(&rest)) {
                (38, Some(colour)) => self.fore = colour,
                (_, Some(colour)) => self.back = colour,
                (_, None) => {}
            }
        }
    }

    fn has(self, bit: u8) -> bool {
        self.weights & bit != 0
    }

    fn set(&mut self, code: u16) {
        match code {
            0 => *self = Self::default(),
            1 => self.weights |= BOLD,
            2 => self.weights |= DIM,
            3 => self.weights |= ITALIC,
            4 | 21 => self.weights |= UNDERLINE,
            7 => self.weights |= INVERSE,
            8 => self.weights |= CONCEAL,
            9 => self.weights |= STRIKE,
            22 => self.weights &= !(BOLD | DIM),
            23 => self.weights &= !ITALIC,
            24 => self.weights &= !UNDERLINE,
            27 => self.weights &= !INVERSE,
            28 => self.weights &= !CONCEAL,
            29 => self.weights &= !STRIKE,
            30..=37 => self.fore = narrow(code - 29),
            39 => self.fore = 0,
            40..=47 => self.back = narrow(code - 39),
            49 => self.back = 0,
            90..=97 => self.fore = narrow(code - 81),
            100..=107 => self.back = narrow(code - 91),
            _ => {}
        }
    }
}

fn narrow(value: u16) -> u8 {
    u8::try_from(value).unwrap_or(0)
}

/// The parameters that belong to an extended colour written with semicolons.
fn extended<'a>(codes: &mut impl Iterator<Item = &'a [u16]>) -> Vec<u16> {
    let mut next = || codes.next().and_then(|code| code.first().copied()).unwrap_or(0);
    match next() {
        5 => vec![5, next()],
        2 => vec![2, next(), next(), next()],
        _ => Vec::new(),
    }
}

/// The nearest of the sixteen colours, as 1 to 16.
fn palette(spec: &[u16]) -> Option<u8> {
    match *spec {
        [5, index @ 0..=15] => Some(narrow(index + 1)),
        [5, index @ 16..=231] => {
            let level = |value: u16| if value == 0 { 0 } else { 55 + value * 40 };
            let index = index - 16;
            Some(nearest([level(index / 36), level(index / 6 % 6), level(index % 6)]))
        }
        [5, index @ 232..=255] => Some(nearest([8 + (index - 232) * 10; 3])),
        // With colons a colour space may stand before the three values.
        [2, .., red, green, blue] => Some(nearest([red, green, blue].map(|value| value.min(255)))),
        _ => None,
    }
}

fn nearest(rgb: [u16; 3]) -> u8 {
    let [high, low] = [rgb.iter().max(), rgb.iter().min()].map(|value| value.copied().unwrap_or(0));
    if high - low < 40 {
        return match high {
            0..=50 => 1,
            51..=150 => 9,
            151..=220 => 8,
            _ => 16,
        };
    }
    let half = low.midpoint(high);
    let hue = rgb.iter().enumerate().map(|(bit, value)| u8::from(*value > half) << bit).sum::<u8>();
    hue + if high > 200 { 9 } else { 1 }
}
