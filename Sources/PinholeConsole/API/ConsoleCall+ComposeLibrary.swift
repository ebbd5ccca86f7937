import PinholeModel
import PinholeRuntime
import PinholeSession

/// Requests for the collections, the variables and the history of the page Compose.
extension ConsoleCall {
    func composeLibrary() throws(Problem) -> ConsoleAnswer {
        let book = try api.library.book()
        return .json(
            ComposeListing(
                collections: book.collections,
                environments: book.environments,
                history: try api.library.history().entries,
                file: api.subject.shown(api.library.bookPath),
                historyFile: api.subject.shown(api.library.historyPath)
            )
        )
    }

    /// Saves a request in a collection, which is made if there is none.
    func saveComposed() throws(Problem) -> ConsoleAnswer {
        let (collection, name) = (try named(0), try named(1))
        let members = try object()
        let (isNew, request) = try Self.kept { () throws(DocumentFailure) in
            var object = try DocumentObject(.object(members), path: "")
            let isNew = try object.value("isNew", DocumentValue.boolean) ?? false
            let request = try WrittenRequest(&object)
            try object.finish()
            return (isNew, request)
        }
        try api.library.changeBook { book throws(Problem) in
            let entry = RequestCollections.Entry(name: name, request: request)
            guard let place = book.collections.firstIndex(where: { $0.name == collection }) else {
                return book.collections.append(.init(name: collection, entries: [entry]))
            }
            guard let index = book.collections[place].entries.firstIndex(where: { $0.name == name }) else {
                return book.collections[place].entries.append(entry)
            }
            guard !isNew else { throw Self.taken("request", name) }
            book.collections[place].entries[index] = entry
        }
        return try composeLibrary()
    }

    /// Renames a request, or moves it within its collection or to another one.
    func moveComposed() throws(Problem) -> ConsoleAnswer {
        let (collection, name) = (try named(0), try named(1))
        let members = try object()
        let newName = try Self.kept { () throws(DocumentFailure) in
            try members["name"].map { value throws(DocumentFailure) in
                try RequestCollections.name(value, "name")
            }
        }
        let target = try Self.kept { () throws(DocumentFailure) in
            try members["collection"].map { value throws(DocumentFailure) in
                try RequestCollections.name(value, "collection")
            }
        }
        let at = try Self.kept { () throws(DocumentFailure) in
            try members["at"].map { value throws(DocumentFailure) in
                try DocumentValue.integer(in: 0...Int64(Int32.max))(value, "at")
            }
        }
        try api.library.changeBook { book throws(Problem) in
            let (place, index) = try Self.place(of: name, in: collection, book)
            var entry = book.collections[place].entries.remove(at: index)
            entry.name = newName ?? name
            let goal = target ?? collection
            if !book.collections.contains(where: { $0.name == goal }) {
                book.collections.append(.init(name: goal, entries: []))
            }
            for end in book.collections.indices where book.collections[end].name == goal {
                guard !book.collections[end].entries.contains(where: { $0.name == entry.name }) else {
                    throw Self.taken("request", entry.name)
                }
                let last = book.collections[end].entries.count
                let position = at.map(Int.init) ?? (goal == collection ? index : last)
                book.collections[end].entries.insert(entry, at: min(position, last))
            }
        }
        return try composeLibrary()
    }

    func removeComposed() throws(Problem) -> ConsoleAnswer {
        let (collection, name) = (try named(0), try named(1))
        try api.library.changeBook { book throws(Problem) in
            let (place, index) = try Self.place(of: name, in: collection, book)
            book.collections[place].entries.remove(at: index)
        }
        return try composeLibrary()
    }

    func renameCollection() throws(Problem) -> ConsoleAnswer {
        let collection = try named(0)
        let members = try object()
        let name = try Self.kept { () throws(DocumentFailure) in
            try RequestCollections.name(members["name"] ?? .null, "name")
        }
        try api.library.changeBook { book throws(Problem) in
            guard name == collection || !book.collections.contains(where: { $0.name == name }) else {
                throw Self.taken("collection", name)
            }
            guard let place = book.collections.firstIndex(where: { $0.name == collection }) else {
                throw Self.missing("collection", collection)
            }
            book.collections[place].name = name
        }
        return try composeLibrary()
    }

    func removeCollection() throws(Problem) -> ConsoleAnswer {
        let collection = try named(0)
        try api.library.changeBook { book throws(Problem) in
            guard let place = book.collections.firstIndex(where: { $0.name == collection }) else {
                throw Self.missing("collection", collection)
            }
            book.collections.remove(at: place)
        }
        return try composeLibrary()
    }

    /// Saves a set of values for variables.
    func saveEnvironment() throws(Problem) -> ConsoleAnswer {
        let name = try named(0)
        let members = try object()
        let variables = try Self.kept { () throws(DocumentFailure) in
            try RequestCollections.variables(members["variables"] ?? .null, "variables")
        }
        try api.library.changeBook { book throws(Problem) in
            let environment = RequestCollections.Environment(name: name, variables: variables)
            guard let place = book.environments.firstIndex(where: { $0.name == name }) else {
                return book.environments.append(environment)
            }
            book.environments[place] = environment
        }
        return try composeLibrary()
    }

    func removeEnvironment() throws(Problem) -> ConsoleAnswer {
        let name = try named(0)
        try api.library.changeBook { book throws(Problem) in
            guard let place = book.environments.firstIndex(where: { $0.name == name }) else {
                throw Self.missing("set", name)
            }
            book.environments.remove(at: place)
        }
        return try composeLibrary()
    }

    /// Adds a request that was sent to the history.
    func addToHistory() throws(Problem) -> ConsoleAnswer {
        let members = try object()
        let now = api.clock.now().iso8601
        let entry = try Self.kept { () throws(DocumentFailure) in
            try ComposeHistory.Entry(.object(members), "", now: now)
        }
        try api.library.changeHistory { $0.add(entry) }
        return try composeLibrary()
    }

    func removeFromHistory() throws(Problem) -> ConsoleAnswer {
        let id = try id()
        try api.library.changeHistory { history throws(Problem) in
            guard history.remove(id) else { throw Self.missing("entry", "\(id)") }
        }
        return try composeLibrary()
    }

    func clearHistory() throws(Problem) -> ConsoleAnswer {
        try api.library.clearHistory()
        return try composeLibrary()
    }

    /// Returns a name in the path.
    private func named(_ index: Int) throws(Problem) -> String {
        let text = parameters.indices.contains(index) ? parameters[index] : ""
        return try Self.kept { () throws(DocumentFailure) in
            try RequestCollections.name(.string(text), "the name")
        }
    }

    private static func place(
        of name: String,
        in collection: String,
        _ book: RequestCollections
    ) throws(Problem) -> (collection: Int, entry: Int) {
        guard let place = book.collections.firstIndex(where: { $0.name == collection }) else {
            throw missing("collection", collection)
        }
        guard let index = book.collections[place].entries.firstIndex(where: { $0.name == name }) else {
            throw missing("request", name)
        }
        return (place, index)
    }

    /// Returns the value that `read` reads; its failure becomes a problem for the user.
    private static func kept<Value>(_ read: () throws(DocumentFailure) -> Value) throws(Problem) -> Value {
        do throws(DocumentFailure) { return try read() } catch {
            throw Problem(422, "it cannot be kept", "\(error)")
        }
    }

    private static func missing(_ kind: String, _ name: String) -> Problem {
        Problem(404, "not found", "no \(kind) has the name \(TerminalText.quoted(name)) (any more)")
    }

    private static func taken(_ kind: String, _ name: String) -> Problem {
        Problem(
            409,
            "the name is taken",
            "another \(kind) has the name \(TerminalText.quoted(name))",
            remedy: "choose another name"
        )
    }
}

/// The library of the page Compose.
struct ComposeListing: Codable, DescribedMembers {
    static let described = [
        FieldJSON("history", "The newest first."),
        FieldJSON("file", "The file with collections and variables."),
    ]

    let collections: [RequestCollections.Collection]
    let environments: [RequestCollections.Environment]
    let history: [ComposeHistory.Entry]
    let file: String
    let historyFile: String
}
