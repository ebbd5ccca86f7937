import PinholeCrypto
import Testing

@Suite("PEM")
struct PEMTests {
    @Test("finds blocks between other text, with any line ends")
    func lineEnds() {
        let lines = [
            "subject=whatever: 1", "-----BEGIN A-----", "Zm9v", "-----END A-----", "text",
            "  -----BEGIN B C-----  ", "Zm", "9v", "-----END B C-----",
        ]
        for end in ["\n", "\r\n", "\r"] {
            let blocks = PEM.blocks(in: Array(lines.joined(separator: end).utf8))
            #expect(blocks.map(\.label) == ["A", "B C"])
            #expect(blocks.map(\.content) == [Array("foo".utf8), Array("foo".utf8)])
            if end != "\r" { #expect(blocks.map(\.line) == [2, 6]) }
        }
    }

    @Test("reports damaged blocks and reads the next ones")
    func damaged() {
        let text = """
            -----BEGIN A-----
            Zm9v!
            -----END A-----
            -----BEGIN B-----
            Zm9v
            -----BEGIN C-----
            Zm9v
            -----END D-----
            -----BEGIN E-----
            Zm9v
            -----END E-----
            -----BEGIN F-----
            Zm9v
            """
        let blocks = PEM.blocks(in: Array(text.utf8))
        #expect(blocks.map(\.label) == ["A", "B", "C", "E", "F"])
        #expect(blocks.map { $0.content != nil } == [false, false, false, true, false])
    }

    @Test("knows the encryption of RFC 1421")
    func encrypted() {
        let text = """
            -----BEGIN RSA PRIVATE KEY-----
            Proc-Type: 4,ENCRYPTED
            DEK-Info: AES-128-CBC,00

            Zm9v
            -----END RSA PRIVATE KEY-----
            """
        let blocks = PEM.blocks(in: Array(text.utf8))
        #expect(blocks.map(\.isEncrypted) == [true])
    }

    @Test(
        "a block begins behind a byte order mark or a word, not in a comment",
        arguments: [("\u{feff}", 1), ("leaf: ", 1), ("  ", 1), ("# ", 0), ("// ", 0), ("; ", 0)]
    )
    func starts(start: String, count: Int) {
        let text = start + "-----BEGIN X-----\nZm9v\n-----END X-----\n"
        #expect(PEM.blocks(in: Array(text.utf8)).count == count)
    }

    @Test("encodes lines of 64 characters")
    func encode() {
        let content = [UInt8](repeating: 0x41, count: 100)
        let text = PEM.encode(content, label: "X")
        #expect(text.split(separator: "\n").map(\.count) == [17, 64, 64, 8, 15])
        #expect(PEM.blocks(in: Array(text.utf8)).map(\.content) == [content])
        #expect(PEM.blocks(in: Array(PEM.encode([], label: "X").utf8)).map(\.content) == [[]])
    }
}
