import Foundation
import PinholeModel
import PinholeTestKit
import Testing

@testable import PinholeFormats

@Suite("Spellings of secrets")
struct SpellingTests {
    private static let secrets = [
        "correct horse battery", "Zq01xw7Kp3Vn01Tr", #"a<b>&"c'd\e/f+g=h%i"#, "pässwörd€𝄞-9",
        "hunter2-Zebra!Quilt99",
        "s3cr3t",
    ]

    /// A way to write a text; only the characters with these numbers are escaped, unless the notation needs more.
    private struct Writer: Sendable, CustomTestStringConvertible {
        let name: String
        let spelling: Spelling
        let write: @Sendable (String, (Int) -> Bool) -> [UInt8]

        var testDescription: String { name }

        init(
            _ name: String,
            _ spelling: Spelling,
            _ write: @escaping @Sendable (String, (Int) -> Bool) -> String
        ) {
            self.name = name
            self.spelling = spelling
            self.write = { Array(write($0, $1).utf8) }
        }

        /// Creates a writer that writes each byte or character on its own.
        init(
            _ name: String,
            _ spelling: Spelling,
            always: String = "",
            _ escape: @escaping @Sendable (Unicode.Scalar, Int) -> String
        ) {
            self.init(name, spelling) { text, isChosen in
                text.unicodeScalars.enumerated().map { number, scalar in
                    isChosen(number) || always.unicodeScalars.contains(scalar)
                        ? escape(scalar, number) : String(scalar)
                }.joined()
            }
        }
    }

    private static func bytes(_ scalar: Unicode.Scalar, _ format: String) -> String {
        Array(String(scalar).utf8).map { String(format: format, $0) }.joined()
    }

    private static func units(_ scalar: Unicode.Scalar, _ format: String) -> String {
        String(scalar).utf16.map { String(format: format, $0) }.joined()
    }

    private static let writers = [
        Writer("percent, upper case", .percent) { scalar, _ in bytes(scalar, "%%%02X") },
        Writer("percent, mixed case", .percent) { scalar, number in
            bytes(scalar, number % 2 == 0 ? "%%%02x" : "%%%02X")
        },
        Writer("JSON, lower case", .json, always: "\"\\") { scalar, _ in units(scalar, "\\u%04x") },
        Writer("JSON, upper case", .json, always: "\"\\") { scalar, _ in units(scalar, "\\u%04X") },
        Writer("JSON, short", .json, always: "\"\\/") { scalar, _ in
            "\"\\/".unicodeScalars.contains(scalar) ? "\\\(scalar)" : units(scalar, "\\u%04x")
        },
        Writer("HTML, decimal", .html) { scalar, _ in "&#\(scalar.value);" },
        Writer("HTML, hexadecimal", .html) { scalar, number in
            String(format: number % 2 == 0 ? "&#x%x;" : "&#X%06X;", scalar.value)
        },
        Writer("HTML, named", .html, always: "<>&\"'") { scalar, _ in
            let names: [Unicode.Scalar: String] = [
                "<": "lt", ">": "gt", "&": "amp", "\"": "quot", "'": "apos",
            ]
            return names[scalar].map { "&\($0);" } ?? "&#\(scalar.value);"
        },
        Writer("HTML, with zeros", .html) { scalar, _ in String(format: "&#%012d;", scalar.value) },
        Writer("HTML, named characters of ASCII", .html, always: "<>&\"'+/=\\") { scalar, _ in
            let names: [Unicode.Scalar: String] = [
                "<": "lt", ">": "gt", "&": "amp", "\"": "quot", "'": "apos", "+": "plus", "/": "sol",
                "=": "equals", "\\": "bsol",
            ]
            return names[scalar].map { "&\($0);" } ?? "&#\(scalar.value);"
        },
        Writer("percent, by units", .percent, always: "%") { scalar, _ in units(scalar, "%%u%04X") },
        Writer("JavaScript, in braces", .json, always: "\"\\") { scalar, _ in
            String(format: "\\u{%x}", scalar.value)
        },
        Writer("C, octal", .json, always: "\"\\") { scalar, _ in bytes(scalar, "\\%03o") },
        Writer("quoted-printable", .quotedPrintable, always: "=") { scalar, _ in bytes(scalar, "=%02X") },
        Writer("quoted-printable, in lines", .quotedPrintable, always: "=") { scalar, number in
            (number % 5 == 3 ? "=\r\n" : "") + bytes(scalar, "=%02X")
        },
    ]

    private static func search(_ secrets: [String]) -> SpellingSearch {
        SpellingSearch(secrets.map { Array($0.utf8) })
    }

    private static func found(_ secret: String, in content: [UInt8]) -> [SpellingSearch.Occurrence] {
        search([secret]).occurrences(in: content)
    }

    @Test(
        "a value is found, and its octets alone, whichever of its characters are escaped",
        arguments: writers,
        secrets
    )
    private func escaped(_ writer: Writer, _ secret: String) {
        let choices: [(Int) -> Bool] = [
            { _ in true }, { $0 % 2 == 0 }, { $0 % 3 == 2 }, { $0 == 0 },
            { $0 == secret.unicodeScalars.count - 1 },
            { $0 == 3 },
        ]
        for isChosen in choices {
            let spelled = writer.write(secret, isChosen)
            // A soft line break at the beginning belongs to nothing.
            guard spelled.first != 0x3d || spelled.dropFirst().first != 0x0d else { continue }
            let content = Array("[x: ".utf8) + spelled + Array(" ;]".utf8)
            let occurrence = SpellingSearch.Occurrence(
                value: 0,
                spelling: writer.spelling,
                range: 4..<4 + spelled.count
            )
            let text = String(decoding: content, as: UTF8.self)
            #expect(Self.found(secret, in: content) == [occurrence], "\(text)")
        }
    }

    @Test("a form has a plus sign for each space")
    func form() {
        let secret = "correct horse battery"
        for (spelled, spelling) in [
            ("correct+horse+battery", Spelling.form), ("correct+horse%20b%61ttery", .form),
            ("%63orrect+horse+battery", .percent), ("correct%20horse%20battery", .percent),
        ] {
            let content = Array("a=1&b=\(spelled)&c=2".utf8)
            let range = 6..<6 + spelled.utf8.count
            #expect(
                Self.found(secret, in: content) == [.init(value: 0, spelling: spelling, range: range)],
                "\(spelled)"
            )
        }
        #expect(Self.found("abc+def", in: Array("x=abc%2Bdef".utf8)).map(\.range) == [2..<11])
    }

    @Test("Base64 keeps its plus signs where a value has spaces")
    func plusOfBase64() {
        let secret = "correct horse battery"
        let plain = Data([0xfb, 0xef, 0xbe] + Array(secret.utf8) + [0xfb, 0xef, 0xbe]).base64EncodedString()
        #expect(plain.hasPrefix("++++"))
        let content = Array("x=\(plain.replacing("+", with: "%2B"))&y=1".utf8)
        #expect(Self.found(secret, in: content).map(\.range) == [14..<42])
    }

    @Test("a value that is nothing but escapes of escapes is looked for without delay")
    func nestedEscapes() {
        for value in [
            "%" + String(repeating: "25", count: 60000), "&" + String(repeating: "amp;", count: 30000),
        ] {
            let content = Array("[\(value)]".utf8)
            #expect(Self.found(value, in: content).map(\.range) == [1..<1 + value.utf8.count])
        }
    }

    @Test("a value is found in UTF-16 of both orders, at even and odd places", arguments: secrets)
    func wide(_ secret: String) {
        let units = Array(secret.utf16)
        for isBig in [true, false] {
            let spelled = units.flatMap { unit in
                let halves = [UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)]
                return isBig ? halves : halves.reversed()
            }
            let own: [UInt8] = isBig ? [0x00, 0x41, 0x00, 0x42] : [0x41, 0x00, 0x42, 0x00]
            let odd: [UInt8] = isBig ? [0x00, 0x00, 0x41] : [0x41]
            for before in [[], odd, isBig ? [0xfe, 0xff] : [0xff, 0xfe], own] {
                let content = before + spelled + (isBig ? [0x00, 0x2e] : [0x2e, 0x00])
                let expected = before.count..<before.count + spelled.count
                #expect(
                    Self.found(secret, in: content) == [.init(value: 0, spelling: .utf16, range: expected)],
                    "\(content)"
                )
            }
        }
    }

    @Test(
        "a value is found in Base64 at any place of a longer text, in lines and without",
        arguments: secrets
    )
    func base64(_ secret: String) {
        for (before, after) in [("", ""), ("a", ""), ("ab", "c"), ("abc", "cd"), ("user:", ":xyz")] {
            let plain = Data((before + secret + after).utf8).base64EncodedString()
            let url = plain.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            let lines = Data((before + secret + after).utf8).base64EncodedString(options: [
                .lineLength64Characters, .endLineWithCarriageReturn, .endLineWithLineFeed,
            ])
            let first = before.utf8.count * 8 / 6
            let last = ((before + secret).utf8.count * 8 - 1) / 6
            for spelled in [plain, url, lines] {
                for around in [("<", ">"), ("path/", "/x"), ("\r\n", "\r\n--b")] {
                    let content = Array((around.0 + spelled + around.1).utf8)
                    let found = Self.found(secret, in: content)
                    let start = around.0.utf8.count + first
                    #expect(found.map(\.spelling) == [.base64], "\(spelled)")
                    #expect(found.first?.range.lowerBound == start, "\(spelled)")
                    // Only padding may follow.
                    let end = found.first?.range.upperBound ?? 0
                    let rest = content[(start + last - first + 1)..<max(end, start + last - first + 1)]
                    #expect(rest.allSatisfy { $0 == 0x3d }, "\(spelled)")
                }
            }
        }
        let long = String(repeating: "0123456789", count: 12) + secret
        let lines = Data(long.utf8).base64EncodedString(options: [.lineLength76Characters])
        #expect(Self.found(secret, in: Array(lines.utf8)).count == 1)
    }

    @Test("a value is found in a dump of its bytes", arguments: secrets)
    func hexadecimal(_ secret: String) {
        let bytes = Array(secret.utf8)
        let pairs = bytes.enumerated().map {
            String(format: $0.offset % 2 == 0 ? "%02x" : "%02X", $0.element)
        }
        for (before, after) in [("", ""), ("<", ">"), ("f", "f"), ("00000000: ", "  ")] {
            for spelled in [
                pairs.joined(), pairs.joined().uppercased(), pairs.joined(separator: ":"),
                pairs.joined(separator: " "),
                pairs.joined(separator: ", 0x"), pairs.joined(separator: "\\x"),
                pairs.joined(separator: "\r\n"),
            ] {
                let content = Array((before + spelled + after).utf8)
                let range = before.utf8.count..<before.utf8.count + spelled.utf8.count
                #expect(
                    Self.found(secret, in: content) == [.init(value: 0, spelling: .hex, range: range)],
                    "\(before + spelled + after)"
                )
            }
        }
    }

    @Test("a value is found in a notation within another", arguments: secrets)
    func nested(_ secret: String) {
        let (percent, json, html) = (Self.writers[0], Self.writers[2], Self.writers[5])
        let all: (Int) -> Bool = { _ in true }
        let some: (Int) -> Bool = { $0 % 2 == 0 }
        func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
        let base64 = Data(secret.utf8).base64EncodedString()
        let wide = Data(secret.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] })
        let spelled: [[UInt8]] = [
            percent.write(text(json.write(secret, some)), all),
            json.write(text(percent.write(secret, all)), some),
            html.write(text(json.write(text(percent.write(secret, some)), some)), some),
            percent.write(base64, all), html.write(base64, some),
            percent.write(text(percent.write(secret, all)), all),
            Array(wide.base64EncodedString().utf8), Array(Data(base64.utf8).base64EncodedString().utf8),
            Array(Data(percent.write(secret, some)).base64EncodedString().utf8),
            Array(Data(json.write(secret, some)).base64EncodedString().utf8),
        ]
        for content in spelled {
            let found = Self.found(secret, in: Array("[".utf8) + content + Array("]".utf8))
            #expect(found.map(\.range) == [1..<content.count + 1], "\(text(content))")
        }
    }

    @Test("of two values that overlap, nothing is left")
    func overlapping() {
        let search = Self.search(["abcdefgh", "65fghijkl"])
        let content = Array("x abcd%65fghijkl y".utf8)
        #expect(search.occurrences(in: content).map(\.range) == [2..<12, 12..<16])
    }

    @Test("texts that only resemble escapes are literal")
    func resembling() {
        for text in [
            "%4", "%", "100%", "\\u12", "\\", "&#;", "&#x;", "&amp", "=", "=4", "&#1114112;", "\\ud800x",
        ] {
            #expect(
                UnescapedText(Array(text.utf8), [.percent, .html, .json, .quotedPrintable]) == nil,
                "\(text)"
            )
        }
        #expect(Self.search([]).occurrences(in: Array("%41".utf8)).isEmpty)
        #expect(Self.found("s3cr3t", in: []).isEmpty)
    }

    @Test("the time grows with the content, and not faster")
    func linear() {
        let search = Self.search(Self.secrets)
        func duration(_ piece: String, _ count: Int) -> Duration {
            let content = Array(String(repeating: piece, count: count).utf8)
            return ProcessorTime.measure { #expect(search.occurrences(in: content).isEmpty) }
        }
        for piece in ["%25", "\\\\", "&amp;", "=41", "QUJD", "41 ", "a\0", "\r\n", "0x", " \\x"] {
            let short = duration(piece, 4000)
            let long = duration(piece, 64_000)
            #expect(long < short * 160 + .milliseconds(200), "\(piece): \(short), then \(long)")
        }
    }

    @Test("of the values that begin at one place, the longest is found, and none twice")
    func longest() {
        let values = ["abab", "ababab", "babc", "abc", "cdcd", "ababab", "xababcdc"].map { Array($0.utf8) }
        let search = ByteSearch(values)
        func naive(_ content: [UInt8]) -> [ByteSearch.Match] {
            var (found, position): ([ByteSearch.Match], Int) = ([], 0)
            while position < content.count {
                let here = values.indices.filter {
                    values[$0].count >= ByteSearch.shortest && content[position...].starts(with: values[$0])
                }
                guard let best = here.max(by: { (values[$0].count, $1) < (values[$1].count, $0) }) else {
                    position += 1
                    continue
                }
                let range = position..<position + values[best].count
                found.append(ByteSearch.Match(range: range, pattern: best))
                position = range.upperBound
            }
            return found
        }
        var random = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let content = (0..<60).map { _ in UInt8.random(in: 0x61...0x64, using: &random) }
            #expect(
                search.matches(in: content) == naive(content),
                "\(String(decoding: content, as: UTF8.self))"
            )
        }
        #expect(search.matches(in: Array("xababcdcd".utf8)).map(\.pattern) == [6])
        #expect(ByteSearch(values.filter { $0.count < 4 }).isEmpty)
    }

    @Test("values that repeat themselves, and many with one beginning, are not found in half")
    func periodic() {
        // A search that compares each value at each place would make billions of comparisons.
        for piece in ["a", "ab", "eyJhbGci"] {
            let long = String(repeating: piece, count: 1000)
            let values = [long + "!", "!" + long] + (0..<200).map { long + "-\($0)" }
            let search = ByteSearch(values.map { Array($0.utf8) })
            let content = String(repeating: piece, count: 32_000)
            #expect(search.matches(in: Array(content.utf8)).isEmpty, "\(piece)")
            #expect(search.matches(in: Array("\(content)-7".utf8)).map(\.pattern) == [9], "\(piece)")
        }
    }
}
