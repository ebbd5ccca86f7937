import PinholeModel

/// PEM (RFC 7468): finds the blocks in a text that may hold anything between them.
package enum PEM {
    /// A block of a PEM text.
    package struct Block: Equatable, Sendable {
        /// The label after BEGIN, for example `CERTIFICATE`.
        package var label: String
        /// The line of the BEGIN mark, counted from 1.
        package var line: Int
        /// Whether the content is encrypted in the format of RFC 1421 (`Proc-Type: 4,ENCRYPTED`).
        package var isEncrypted: Bool
        /// The decoded content; `nil` if it is no Base64 or has no matching END mark.
        package var content: [UInt8]?
    }

    /// Finds the blocks of `text` in their order, damaged ones included.
    package static func blocks(in text: [UInt8]) -> [Block] {
        var scanner = Scanner()
        for (index, line) in lines(of: text).enumerated() {
            scanner.take(line, number: index + 1)
        }
        return scanner.finish()
    }

    /// Encodes a block with lines of 64 characters.
    package static func encode(_ content: [UInt8], label: String) -> String {
        var text = "-----BEGIN \(label)-----\n"
        // 48 bytes are 64 characters (RFC 7468 §2).
        for start in stride(from: 0, to: content.count, by: 48) {
            text += Base64.encode(Array(content[start..<min(start + 48, content.count)])) + "\n"
        }
        return text + "-----END \(label)-----\n"
    }

    /// The lines without surrounding white space and without their ends, which may be LF, CRLF or CR.
    private static func lines(of text: [UInt8]) -> [ArraySlice<UInt8>] {
        text.split(omittingEmptySubsequences: false) { $0 == 0x0a }.flatMap { line in
            let line = line.last == 0x0d ? line.dropLast() : line
            return line.split(separator: 0x0d, omittingEmptySubsequences: false)
        }.map { line in
            var line = line.drop { $0 == 0x20 || $0 == 0x09 }
            while let last = line.last, last == 0x20 || last == 0x09 { line.removeLast() }
            return line
        }
    }

    private struct Scanner {
        var blocks: [Block] = []
        var open: Block?
        var body: [UInt8] = []

        mutating func take(_ line: ArraySlice<UInt8>, number: Int) {
            if let label = PEM.label(
                of: PEM.dropText(inFrontOf: "-----BEGIN ", of: line),
                mark: "-----BEGIN "
            ) {
                closeDamaged()
                open = Block(label: label, line: number, isEncrypted: false, content: nil)
                body = []
            } else if let label = PEM.label(of: line, mark: "-----END ") {
                guard var block = open else { return }
                if block.label == label { block.content = Base64.decode(body) }
                blocks.append(block)
                open = nil
            } else if open != nil {
                // RFC 1421 §4.6: header fields, which contain a colon, stand before the content.
                if line.contains(0x3a) {
                    if line.suffix(9).elementsEqual("ENCRYPTED".utf8) { open?.isEncrypted = true }
                } else {
                    body += line
                }
            }
        }

        mutating func finish() -> [Block] {
            closeDamaged()
            return blocks
        }

        private mutating func closeDamaged() {
            guard let block = open else { return }
            blocks.append(block)
            open = nil
        }
    }

    /// Drops the text in front of a mark, for example a byte order mark or a word by the author of the file.
    ///
    /// A mark in a comment line does not count, so such a line is returned unchanged.
    private static func dropText(inFrontOf mark: String, of line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard line.last == 0x2d, ![0x23, 0x3b].contains(line.first), !line.starts(with: "//".utf8),
            let range = line.firstRange(of: Array(mark.utf8))
        else { return line }
        return line[range.lowerBound...]
    }

    private static func label(of line: ArraySlice<UInt8>, mark: String) -> String? {
        let end = "-----".utf8
        guard line.first == 0x2d, line.starts(with: mark.utf8), line.suffix(end.count).elementsEqual(end)
        else { return nil }
        let label = line.dropFirst(mark.utf8.count).dropLast(end.count)
        return label.isEmpty ? nil : String(decoding: label, as: UTF8.self)
    }
}
