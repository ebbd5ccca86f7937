/// A text of source code, which may have expressions within.
package struct SourceText: Hashable, Sendable {
    /// The parts in their order.
    package var pieces: [SourceToken.Piece]

    /// Creates a text that is known as a whole.
    package init(_ text: String) { pieces = [.text(text)] }

    /// Creates a text of parts.
    package init(_ pieces: [SourceToken.Piece]) { self.pieces = pieces }

    /// The text; `nil` if a part of it is an expression.
    package var whole: String? {
        var text = ""
        for piece in pieces {
            guard case .text(let part) = piece else { return nil }
            text += part
        }
        return text
    }

    /// The bytes of the text and its expressions, with one for each piece.
    var size: Int {
        pieces.reduce(0) { size, piece in
            switch piece {
            case .text(let text), .expression(let text): size + text.utf8.count + 1
            }
        }
    }

    /// The text in front of the first expression.
    package var beginning: String {
        guard case .text(let text)? = pieces.first else { return "" }
        return text
    }

    /// The text as a template.
    package var code: String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .expression(let code): pieces.count == 1 ? code : "${\(code)}"
            }
        }.joined()
    }

    /// The text with neighbouring parts joined.
    var merged: SourceText {
        var result = SourceText([])
        result.append(pieces)
        return result.pieces.isEmpty ? SourceText("") : result
    }

    /// Adds pieces, and joins those of text with the text in front of them.
    mutating func append(_ more: [SourceToken.Piece]) {
        for piece in more {
            guard case .text(let text) = piece, case .text(var before)? = pieces.last else {
                pieces.append(piece)
                continue
            }
            // Without another owner, the text grows in its place.
            pieces.removeLast()
            before += text
            pieces.append(.text(before))
        }
    }
}
