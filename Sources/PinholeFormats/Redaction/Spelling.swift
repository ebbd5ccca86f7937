/// A way in which a value is written in a message.
package enum Spelling: String, CaseIterable, Sendable {
    /// The bytes themselves.
    case plain
    /// Percent-encoded in part or as a whole (RFC 3986 §2.1), as in URLs.
    case percent
    /// Percent-encoded, with a plus sign for each space, as in forms.
    case form
    /// Base64 or base64url (RFC 4648 §4, §5), perhaps as a part of a longer text.
    case base64
    /// Hexadecimal digits, perhaps with marks between the bytes.
    case hex
    /// With the references of HTML.
    case html
    /// With the escapes of JSON (RFC 8259 §7).
    case json
    /// Quoted-printable (RFC 2045 §6.7).
    case quotedPrintable = "quoted-printable"
    /// UTF-16 in either order of bytes.
    case utf16 = "utf-16"
}
