import Testing

@testable import PinholeContent

@Suite("Declared character encodings")
struct DeclaredCharsetTests {
    @Test(
        "reads the parameter as browsers do",
        arguments: [
            ("text/plain; charset=ISO-8859-1", "iso-8859-1"),
            ("text/html;charset=\"Shift_JIS\"", "shift_jis"),
            ("text/plain; a=b; Charset = x", nil), ("text/plain ; charset=koi8-r ", "koi8-r"),
            ("text/plain; charset=utf-8", nil), ("text/plain; charset=UTF8", nil), ("text/plain", nil),
            ("", nil),
            ("application/json; charset=iso-8859-1", nil), ("application/problem+json; charset=latin1", nil),
            ("text/plain; charset=", nil), ("text/plain; charset=../../x", nil),
            ("text/plain; charset=a//IGNORE", nil),
        ]
    )
    func label(_ type: String, _ label: String?) {
        #expect(DeclaredCharset(type)?.label == label)
    }

    @Test(
        "reads a document's declaration if its Content-Type declares no charset",
        arguments: [
            ("application/xml", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a/>", "iso-8859-1"),
            ("text/xml", "<?xml version='1.0' encoding = 'koi8-r' ?><a/>", "koi8-r"),
            ("", "<?xml version=\"1.0\" encoding=\"EUC-JP\"?><a/>", "euc-jp"),
            ("text/xml; charset=utf-8", "<?xml version=\"1.0\" encoding=\"koi8-r\"?><a/>", nil),
            ("text/xml; charset=big5", "<?xml version=\"1.0\" encoding=\"koi8-r\"?><a/>", "big5"),
            ("text/xml", "<?xml version=\"1.0\"?><a encoding=\"koi8-r\"/>", nil),
            ("text/xml", "<?xml version=\"1.0\" encoding=\"utf-16\"?><a/>", nil),
            ("text/html", "<!doctype html><META charset=Shift_JIS><p>", "shift_jis"),
            (
                "text/html",
                "<meta name=a content=b><meta http-equiv=Content-Type content=\"text/html; charset=gbk\">",
                "gbk"
            ),
            ("text/html", "\u{feff}<meta charset=gbk>", nil),
            ("text/xml", "\u{feff}<?xml version=\"1.0\" encoding=\"koi8-r\"?><a/>", nil),
            ("text/html", "<meta name=\"charset\"><p>", nil), ("text/plain", "<meta charset=gbk>", nil),
            ("text/html", "<meta charset=\"utf-8\">", nil), ("text/html", "<meta charset=", nil),
            ("application/json", "<?xml version=\"1.0\" encoding=\"koi8-r\"?>", nil),
        ]
    )
    func document(_ type: String, _ text: String, _ label: String?) {
        #expect(DeclaredCharset(type, of: Array(text.utf8))?.label == label)
    }

    @Test("JSON is in the encoding that it declares only if it is not UTF-8")
    func json() {
        let type = "application/json; charset=ISO-8859-1"
        let latin: [UInt8] = [0x22, 0xe9, 0x22]
        #expect(DeclaredCharset(type, of: latin)?.utf8(of: latin) == Array("\"é\"".utf8))
        for text in ["\"é\"", "{}", ""] {
            #expect(DeclaredCharset(type, of: Array(text.utf8)) == nil)
        }
        let text = Array("\"éш漢😀".utf8)
        for count in 0...text.count {
            #expect(DeclaredCharset(type, of: Array(text.prefix(count))) == nil, "\(count) bytes")
        }
        #expect(DeclaredCharset("application/json; charset=utf-8", of: latin) == nil)
        #expect(DeclaredCharset("application/json", of: latin) == nil)
    }

    @Test(
        "a text that is not UTF-8 and declares no known encoding is read in the default encoding of browsers",
        arguments: [
            ("text/plain", [0x6b, 0xe4], "kä"), ("text/html", [0x80], "€"),
            ("text/csv; charset=klingon", [0xe4], "ä"), ("text/plain; header=present", [0xfc], "ü"),
            ("text/html", Array("<meta charset=klingon>".utf8) + [0xe4], "<meta charset=klingon>ä"),
            ("text/plain; charset=utf-8", [0xe4], nil), ("text/plain", [0xc3, 0xa4], nil),
            ("text/plain", [0xe4, 0], nil), ("image/png", [0x89], nil), ("text/xml", [0xe4], nil),
            ("text/plain", [0xef, 0xbb, 0xbf, 0xe4], nil),
        ] as [(String, [UInt8], String?)]
    )
    func usual(_ type: String, _ bytes: [UInt8], _ text: String?) {
        let read = DeclaredCharset(type, of: bytes, isWhole: true)?.utf8(of: bytes)
        #expect(read.map { String(decoding: $0, as: UTF8.self) } == text)
        // The last bytes of a part may be the beginning of a character.
        #expect(DeclaredCharset("text/plain", of: [0x6b, 0xe6, 0x97]) == nil)
    }

    @Test("reads the byte order mark of a text, and not of a picture")
    func mark() {
        let text: [UInt8] = [0xff, 0xfe, 0x41, 0x00]
        #expect(DeclaredCharset("text/plain", of: text)?.utf8(of: text) == [0x41])
        #expect(DeclaredCharset("image/png", of: text) == nil)
        #expect(DeclaredCharset(nil, of: [0xfe, 0xff, 0, 0x41])?.utf8(of: [0xfe, 0xff, 0, 0x41]) == [0x41])
    }

    @Test(
        "converts to UTF-8 and back",
        arguments: [
            ("iso-8859-1", [0x63, 0x61, 0x66, 0xe9], "café"),
            ("windows-1252", [0x80, 0x93, 0x81], "€“\u{81}"),
            ("iso-8859-15", [0xa4], "€"), ("koi8-r", [0xf0, 0xd2], "Пр"), ("shift_jis", [0x93, 0xfa], "日"),
            ("euc-jp", [0xc6, 0xfc], "日"), ("gbk", [0xc8, 0xd5], "日"), ("big5", [0xa4, 0xe9], "日"),
            ("euc-kr", [0xc0, 0xcf], "일"), ("utf-16le", [0xe9, 0x00], "é"), ("utf-16be", [0x00, 0xe9], "é"),
            ("us-ascii", [0x41], "A"), ("iso-8859-1", [], ""),
        ] as [(String, [UInt8], String)]
    )
    func conversion(_ label: String, _ bytes: [UInt8], _ text: String) throws {
        let charset = try #require(DeclaredCharset("text/plain; charset=\(label)"))
        #expect(charset.utf8(of: bytes).map { String(decoding: $0, as: UTF8.self) } == text)
        #expect(charset.bytes(of: Array(text.utf8)) == bytes)
    }

    @Test("refuses bytes that are invalid in the encoding, and unknown encodings")
    func refusals() throws {
        let shiftJIS = try #require(DeclaredCharset("text/plain; charset=shift_jis"))
        #expect(shiftJIS.utf8(of: [0x93]) == nil)
        #expect(try #require(DeclaredCharset("text/plain; charset=klingon")).utf8(of: [0x41]) == nil)
        let latin = try #require(DeclaredCharset("text/plain; charset=latin1"))
        #expect(latin.bytes(of: Array("日".utf8)) == nil && latin.bytes(of: [0xff]) == nil)
        let mark = try #require(DeclaredCharset("text/plain; charset=utf-16"))
        #expect(mark.utf8(of: [0xff, 0xfe, 0x41, 0x00]) == [0x41])
    }
}
