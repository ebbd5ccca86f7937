extension SourceEvaluator {
    /// The value of a name at a place; `nil` if neither a loop nor a declaration gives it one.
    func lookUp(_ name: String, at index: Int, _ bindings: Bindings) -> SourceValue? {
        if let value = bindings[name] { return value }
        let parts = name.split(separator: ".").map(String.init)
        guard let first = parts.first, let last = parts.last else { return nil }
        if parts.count > 1, let base = bindings[first] { return members(parts.dropFirst(), of: base) }
        let qualifier = parts.count > 1 ? parts[parts.count - 2] : nil
        if let value = declared(last, in: qualifier, at: index) { return value }
        // A member of a constant that is a collection: `CONFIG.host`.
        guard parts.count > 1, let base = declared(first, in: nil, at: index) else { return nil }
        return members(parts.dropFirst(), of: base)
    }

    /// Whether a literal is the value of a name that another file of the project uses.
    ///
    /// - Parameters:
    ///   - index: The literal.
    ///   - word: A word that the other file has beside the name.
    /// - Returns: Whether there is such a file.
    package func isConstant(at index: Int, ofFilesWith word: String) -> Bool {
        guard let project else { return false }
        return declarations.byName.contains { name, places in
            places.contains { ($0.value..<$0.end).contains(index) }
                && project.holds([name, word], outside: code.name)
        }
    }

    /// Whether the code of another file of the module has one of some names; `nil` if the project has no other file.
    package func othersName(_ names: some Sequence<String>) -> Bool? {
        guard let project, project.hasOthers else { return nil }
        return names.contains { project.names($0, outside: code.name) }
    }

    private func members(_ names: some Sequence<String>, of value: SourceValue) -> SourceValue? {
        var value = value
        for name in names {
            guard let next = SourceFunctions.member(name, of: value) else { return nil }
            value = next
        }
        return value
    }

    /// The value that declarations give a name; `nil` if there is none, or two differ.
    private func declared(_ name: String, in qualifier: String?, at index: Int) -> SourceValue? {
        let own = candidates(name, in: qualifier, at: index)
        guard own.count <= 16 else { return nil }
        if !own.isEmpty { return agreed(own.map { ($0, self) }) }
        guard let project, project.hasOthers, !isLocal(qualifier) else { return nil }
        let others = project.evaluators(declaring: name, except: code.name).flatMap { evaluator in
            evaluator.candidates(name, in: qualifier, at: nil).map { ($0, evaluator) }
        }
        return agreed(others)
    }

    private func isLocal(_ qualifier: String?) -> Bool { qualifier == "this" || qualifier == "self" }

    /// The declarations that a name may mean at a place.
    private func candidates(
        _ name: String,
        in qualifier: String?,
        at index: Int?
    ) -> [SourceDeclarations.Declaration] {
        guard let all = declarations.byName[name] else { return [] }
        if let qualifier {
            let inside = all.filter { $0.container == qualifier }
            if !inside.isEmpty { return inside }
        }
        // Of so many, one does not follow from the place.
        guard let index, all.count <= 512 else { return all }
        let others = all.filter { !($0.name..<$0.end).contains(index) }
        let blocks = Dictionary(grouping: others) { declaration in
            code.ancestors(of: declaration.name).first { code.isMark("{", at: $0) }
        }
        // The innermost block that holds the place and a declaration decides.
        for brace in code.ancestors(of: index) {
            if let inside = blocks[brace] { return inside }
        }
        return others
    }

    /// The value of all declarations; `nil` if two of them differ.
    private func agreed(_ declarations: [(SourceDeclarations.Declaration, SourceEvaluator)]) -> SourceValue? {
        guard declarations.count <= 16 else { return nil }
        var agreed: SourceValue?
        for (declaration, evaluator) in declarations {
            let value = evaluator.value(of: declaration)
            if let first = agreed {
                guard first.isSame(as: value) else { return nil }
            } else {
                agreed = value
            }
        }
        if case .other? = agreed { return nil }
        return agreed
    }

    private func value(of declaration: SourceDeclarations.Declaration) -> SourceValue {
        if let known = known[declaration.name] { return known }
        let key = "\(declaration.name)"
        guard sought.count < Self.depth, sought.insert(key).inserted else {
            cuts += 1
            return unknown(declaration.name..<(declaration.name + 1))
        }
        defer { sought.remove(key) }
        let before = cuts
        let value = value(declaration.value..<declaration.end, [:], sought.count)
        var result = filled(value, of: declaration) ?? value
        if !hasRoom(for: result) { result = unknown(declaration.name..<(declaration.name + 1)) }
        // A value that was cut short is another one where it is sought first.
        if cuts == before || sought.count == 1 { known[declaration.name] = result }
        return result
    }

    /// The elements that later statements put into a collection that begins empty; `nil` for other values.
    private func filled(_ value: SourceValue, of declaration: SourceDeclarations.Declaration) -> SourceValue?
    {
        switch value {
        case .collection(let elements) where elements.isEmpty: break
        case .call(let call) where call.arguments.isEmpty && SourceFunctions.empty.contains(call.name): break
        default: return nil
        }
        guard let name = code[declaration.name]?.lastName else { return nil }
        var elements: [SourceElement] = []
        for place in fillers[name, default: []] {
            let member = code[place]?.lastName
            let arguments = self.elements(in: place + 1)
            if member == "put", arguments.count == 2 {
                elements.append(
                    SourceElement(key: arguments[0].value, arguments[1].value, line: arguments[0].line)
                )
            } else if member == "addAll" {
                elements += arguments.flatMap { $0.value.elements ?? [$0] }
            } else {
                elements += arguments
            }
        }
        return elements.isEmpty ? nil : .collection(elements)
    }

    /// The parts of the value of an expression within a literal.
    func pieces(ofTemplate expression: String, at index: Int, _ bindings: Bindings) -> [SourceToken.Piece] {
        let name = expression.filter { $0 != " " }
        let isName =
            !name.isEmpty && name.utf8.allSatisfy { SourceLexer.isWord($0) || $0 == UInt8(ascii: ".") }
        guard isName, let value = lookUp(name, at: index, bindings) else { return [.expression(expression)] }
        switch value {
        case .text(let text): return text.pieces
        case .integer(let number): return [.text("\(number)")]
        default: return [.expression(expression)]
        }
    }
}

extension SourceValue {
    /// Whether both values are known and equal.
    func isSame(as other: SourceValue) -> Bool {
        var steps = 10_000
        return isSame(as: other, &steps)
    }

    /// Compares within a number of steps: collections that hold one another twice have many ways through them.
    private func isSame(as other: SourceValue, _ steps: inout Int) -> Bool {
        steps -= 1
        guard steps > 0 else { return false }
        switch (self, other) {
        case (.text(let first), .text(let second)): return first.whole != nil && first == second
        case (.boolean(let first), .boolean(let second)): return first == second
        case (.integer(let first), .integer(let second)): return first == second
        case (.null, .null): return true
        case (.collection(let first), .collection(let second)):
            return first.count == second.count
                && zip(first, second).allSatisfy {
                    $0.name == $1.name && $0.value.isSame(as: $1.value, &steps)
                }
        default: return false
        }
    }
}
