import PinholeModel
import Testing

@testable import PinholeStore

@Suite("Parts of texts to be sorted by")
struct FieldOrderBytesTests {
    private func part(_ text: String, _ part: FieldOrder.Part) -> String? {
        Array(text.utf8).withUnsafeBytes { bytes in
            part.part(of: bytes).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    @Test(
        "the host of an authority",
        arguments: [
            ("a.test", "a.test"), ("a.test:8443", "a.test"), ("[2001:db8::1]", "2001:db8::1"),
            ("[::1]:80", "::1"), ("[", ""), (":", ""), ("", ""),
        ]
    )
    func host(authority: String, expected: String) {
        #expect(part(authority, .host) == expected)
        #expect(part(authority, .whole) == authority)
    }

    @Test(
        "the media type in a head",
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n", "text/html"),
            (
                "HTTP/2 200\r\ncontent-length: 1\r\nCONTENT-TYPE:\tImage/PNG \r\ncontent-type: b/c\r\n\r\n",
                "Image/PNG"
            ),
            ("HTTP/1.1 200 OK\nX-Content-Type: a/b\nContent-Types: a/b\ncontent-type : a/b\n\n", nil),
            ("HTTP/1.1 200 OK\r\nContent-Type:\r\n\r\n", nil),
            ("HTTP/1.1 200 OK\r\nContent-Type: a/b", "a/b"),
            ("content-type", nil), ("\n\n", nil), ("", nil),
        ] as [(String, String?)]
    )
    func mediaType(head: String, expected: String?) {
        #expect(part(head, .mediaType) == expected)
    }
}
