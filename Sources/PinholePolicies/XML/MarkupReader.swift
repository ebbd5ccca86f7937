package import PinholeTrust

/// Reads the XML that policy documents are written in: elements, attributes, text, comments, CDATA.
///
/// The reader is strict and small on purpose. A document type is refused or, for property lists, skipped and never
/// read, so no entity is ever expanded and nothing is fetched. Size, depth and the number of elements are bounded.
/// There is no recursion that a document could drive.
package struct MarkupReader {
    /// The bounds of a document.
    package struct Bounds: Sendable {
        /// The largest document in bytes.
        package var bytes = 1 << 20
        /// The deepest nesting.
        package var depth = 64
        /// The most elements.
        package var elements = 50_000
        /// Whether a document type without an internal subset is skipped instead of refused.
        package var skipsDocumentType = false

        /// Creates the bounds that every policy document keeps to.
        package init() {}
    }

    private let bounds: Bounds
    private var scanner: MarkupScanner
    private var open: [MarkupElement] = []
    private var root: MarkupElement?
    private var count = 0

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - bytes: The document in UTF-8.
    ///   - bounds: The bounds of the document.
    /// - Returns: Its root.
    /// - Throws: ``PolicyFailure`` with the line.
    package static func read(
        _ bytes: [UInt8],
        bounds: Bounds = Bounds()
    ) throws(PolicyFailure) -> MarkupElement {
        guard bytes.count <= bounds.bytes else {
            throw PolicyFailure("expected at most \(bounds.bytes) bytes of XML, found \(bytes.count)")
        }
        if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) {
            throw PolicyFailure("expected XML in UTF-8, found UTF-16; convert it: iconv -f UTF-16 -t UTF-8")
        }
        // The byte order mark may also be in UTF-8.
        let content = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes.dropFirst(3)) : bytes
        guard String(validating: content, as: UTF8.self) != nil else {
            throw PolicyFailure("expected XML in UTF-8, found bytes that are none")
        }
        var reader = MarkupReader(bounds: bounds, scanner: MarkupScanner(content))
        return try reader.read()
    }

    private init(bounds: Bounds, scanner: MarkupScanner) {
        self.bounds = bounds
        self.scanner = scanner
    }

    private mutating func read() throws(PolicyFailure) -> MarkupElement {
        while !scanner.isAtEnd {
            if scanner.current == UInt8(ascii: "<") {
                try readMarkup()
            } else {
                try readText()
            }
        }
        if let element = open.last {
            throw scanner.failure(
                "expected </\(element.name)> for the tag in line \(element.line), found the end"
            )
        }
        guard let root else { throw scanner.failure("expected an element, found none") }
        return root
    }

    private mutating func readMarkup() throws(PolicyFailure) {
        if scanner.skip("<!--") {
            _ = try scanner.take(until: "-->", of: "the comment")
        } else if scanner.skip("<?") {
            _ = try scanner.take(until: "?>", of: "the processing instruction")
        } else if scanner.skip("<![CDATA[") {
            append(String(decoding: try scanner.take(until: "]]>", of: "the CDATA section"), as: UTF8.self))
        } else if scanner.skip("<!DOCTYPE") {
            try readDocumentType()
        } else if scanner.skip("</") {
            try readEnd()
        } else {
            try readStart()
        }
    }

    private mutating func readDocumentType() throws(PolicyFailure) {
        guard bounds.skipsDocumentType, root == nil, open.isEmpty else {
            throw scanner.failure("expected no <!DOCTYPE>, since it can define entities; remove it")
        }
        let content = try scanner.take(until: ">", of: "the <!DOCTYPE>")
        guard !content.contains(UInt8(ascii: "[")) else {
            throw scanner.failure(
                "expected a <!DOCTYPE> without “[”, since definitions can be a bomb; remove them"
            )
        }
    }

    private mutating func readStart() throws(PolicyFailure) {
        let line = scanner.line
        guard scanner.skip("<") else { return }
        let name = try scanner.name(of: "an element")
        var attributes: [String: String] = [:]
        while true {
            let hadSpace = scanner.skipSpace()
            if scanner.skip("/>") {
                try begin(MarkupElement(name: name, attributes: attributes, line: line))
                return finish()
            }
            if scanner.skip(">") {
                return try begin(MarkupElement(name: name, attributes: attributes, line: line))
            }
            guard hadSpace else { throw scanner.failure("expected “>” or an attribute in <\(name)>") }
            let key = try scanner.name(of: "an attribute")
            let value = try scanner.attributeValue(of: key)
            guard attributes.updateValue(value, forKey: key) == nil else {
                throw scanner.failure("expected each attribute of <\(name)> once, found “\(key)” again")
            }
        }
    }

    private mutating func begin(_ element: MarkupElement) throws(PolicyFailure) {
        guard root == nil || !open.isEmpty else {
            throw scanner.failure("expected one element at the top, found <\(element.name)> beside it")
        }
        count += 1
        guard count <= bounds.elements else {
            throw scanner.failure("expected at most \(bounds.elements) elements")
        }
        guard open.count < bounds.depth else {
            throw scanner.failure("expected elements no deeper than \(bounds.depth)")
        }
        open.append(element)
    }

    private mutating func readEnd() throws(PolicyFailure) {
        let name = try scanner.name(of: "an element")
        scanner.skipSpace()
        guard scanner.skip(">") else { throw scanner.failure("expected “>” after </\(name)") }
        guard let element = open.last else {
            throw scanner.failure("expected an open element, found </\(name)>")
        }
        guard element.name == name else {
            throw scanner.failure(
                "expected </\(element.name)> for the tag in line \(element.line), found </\(name)>"
            )
        }
        finish()
    }

    /// Closes the innermost open element.
    private mutating func finish() {
        guard let element = open.popLast() else { return }
        if open.isEmpty {
            root = element
        } else {
            open[open.count - 1].children.append(element)
        }
    }

    private mutating func readText() throws(PolicyFailure) {
        let text = try scanner.text()
        guard open.isEmpty else { return append(text) }
        guard text.allSatisfy(\.isWhitespace) else {
            throw scanner.failure("expected an element, found text")
        }
    }

    private mutating func append(_ text: String) {
        guard !open.isEmpty else { return }
        open[open.count - 1].text += text
    }
}
