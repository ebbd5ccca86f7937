import PinholePolicies
import PinholeTrust
import Testing

@Suite("MarkupReader")
struct MarkupReaderTests {
    private func read(_ text: String) throws -> MarkupElement { try MarkupReader.read(Array(text.utf8)) }

    @Test("reads elements, attributes, text, references, comments, CDATA and instructions")
    func everything() throws {
        let root = try read(
            """
            \u{feff}<?xml version="1.0" encoding="utf-8"?>
            <!-- a <b> of a comment -->
            <a x='1 &amp; "2"' y:z = "ü">
              one &lt;&#x41;&#66;&gt;<b/><![CDATA[<raw> & more]]>
              <c>two</c ><?pi?>
            </a>
            """
        )
        #expect(root.name == "a" && root.line == 3)
        #expect(root.attributes == ["x": "1 & \"2\"", "y:z": "ü"])
        #expect(root.trimmedText == "one <AB><raw> & more")
        #expect(root.children.map(\.name) == ["b", "c"])
        #expect(root.children.last?.text == "two" && root.children.last?.line == 5)
    }

    @Test(
        "refuses a document that is not well-formed, with the line",
        arguments: [
            "", "  \n", "text", "<a>", "<a><b></a>", "</a>", "<a></a><b/>", "<a/>text", "<a", "<a x>",
            "<a x=1/>",
            "<a x='1' x='2'/>", "<a x='1'y='2'/>", "<a x='<'/>", "<a x='1", "<1a/>", "< a/>",
            "<a>&unknown;</a>",
            "<a>&amp</a>", "<a>&#0;</a>", "<a>&#xd800;</a>", "<a>&#-1;</a>", "<a>&#;</a>", "<!-- x",
            "<![CDATA[x",
            "<?xml", "<a>&#99999999999;</a>", "<a>& b</a>", "<a></a", "<>", "<a><!DOCTYPE b></a>",
        ]
    )
    func malformed(text: String) {
        let failure = #expect(throws: PolicyFailure.self) { try read(text) }
        #expect(failure?.description.contains("line ") == true, "\(String(describing: failure))")
    }

    @Test("refuses a document type, so that no entity is ever expanded")
    func bomb() {
        let laughs = (1...20).map { "<!ENTITY l\($0) \"\(String(repeating: "&l\($0 - 1);", count: 10))\">" }
        let text = "<!DOCTYPE a [<!ENTITY l0 \"ha\">\(laughs.joined())]><a>&l20;</a>"
        let failure = #expect(throws: PolicyFailure.self) { try read(text) }
        #expect(failure?.description.contains("<!DOCTYPE>") == true)
        let outside = "<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>"
        #expect(throws: PolicyFailure.self) { try read(outside) }
    }

    @Test("skips a document type where it may, but none with definitions")
    func documentType() throws {
        var bounds = MarkupReader.Bounds()
        bounds.skipsDocumentType = true
        let plain = "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://x.test/a.dtd\"><plist/>"
        #expect(try MarkupReader.read(Array(plain.utf8), bounds: bounds).name == "plist")
        let bomb = "<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>"
        #expect(throws: PolicyFailure.self) { try MarkupReader.read(Array(bomb.utf8), bounds: bounds) }
    }

    @Test("is bounded in size, depth and the number of elements")
    func bounds() {
        let deep = String(repeating: "<a>", count: 100_000)
        let wide = "<a>" + String(repeating: "<b/>", count: 50_001) + "</a>"
        let large = "<a>" + String(repeating: " ", count: 1 << 20) + "</a>"
        for (text, word) in [(deep, "deeper"), (wide, "at most"), (large, "bytes")] {
            let failure = #expect(throws: PolicyFailure.self) { try read(text) }
            #expect(failure?.description.contains(word) == true, "\(String(describing: failure))")
        }
    }

    @Test("refuses other encodings by name")
    func encodings() {
        #expect(throws: PolicyFailure.self) { try MarkupReader.read([0xff, 0xfe, 0x3c, 0x00]) }
        #expect(throws: PolicyFailure.self) { try MarkupReader.read([0x3c, 0x61, 0xff, 0x2f, 0x3e]) }
    }

    @Test("never traps on a truncated or a changed document")
    func mutations() {
        let text = "<?xml version='1.0'?><!-- c --><a x='1 &amp;'><b>t&#65;</b><![CDATA[x]]></a>"
        let bytes = Array(text.utf8)
        for length in bytes.indices { _ = try? MarkupReader.read(Array(bytes[..<length])) }
        for index in bytes.indices {
            for byte in [0x00, 0x3c, 0x3e, 0x26, 0x22, 0x80, 0xff] as [UInt8] {
                var changed = bytes
                changed[index] = byte
                _ = try? MarkupReader.read(changed)
            }
        }
    }
}
