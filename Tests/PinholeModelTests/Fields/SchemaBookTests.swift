import PinholeModel
import Testing

@Suite("Schemas from types")
struct SchemaBookTests {
    enum Kind: String, Codable, CaseIterable {
        case small, large
    }

    struct Leaf: Codable {
        let name: String
    }

    struct Tree: Codable, DescribedMembers {
        static let described = [FieldJSON("since", "The beginning.", format: .time)]

        let kind: Kind
        let count: Int64
        let port: UInt16?
        let isOpen: Bool
        let since: String?
        let weights: [String: Double]
        let leaf: Leaf
        let last: Leaf?
        let branches: [Tree]
    }

    struct Renamed: Codable, DescribedMembers {
        static let described = [FieldJSON("other", "Another name.")]

        let name: String
    }

    private func members(_ schema: JSONSchema?) -> [String: JSONValue] {
        guard case .object(let keywords)? = schema?.json, case .object(let members)? = keywords["properties"]
        else { return [:] }
        return members
    }

    @Test("describes an object by its members, and requires every member that is not optional")
    func object() throws {
        let schema = try SchemaBook().members(of: Tree.self)
        let members = members(schema)
        #expect(members.count == 9 && Set(members.keys) == schema.names)
        #expect(members["kind"] == JSONSchema.choice(["small", "large"]).json)
        #expect(members["count"] == JSONSchema.integer.json && members["port"] == JSONSchema.small.json)
        #expect(members["since"] == JSONSchema.text.format(.time).meaning("The beginning.").json)
        #expect(members["weights"] == JSONSchema.map(of: .number).json)
        let required = ["kind", "count", "isOpen", "weights", "leaf", "branches"]
        guard case .object(let keywords) = schema.json, case .array(let names)? = keywords["required"] else {
            Issue.record("nothing is required")
            return
        }
        #expect(Set(names) == Set(required.map(JSONValue.string)))
    }

    @Test("a type in a type is listed once under its name, also within itself")
    func references() throws {
        let book = SchemaBook()
        #expect(try book.schema(of: Tree.self) == .reference("SchemaBookTestsTree"))
        #expect(Set(book.schemas.keys) == ["SchemaBookTestsTree", "SchemaBookTestsLeaf"])
        let members = members(book.schemas["SchemaBookTestsTree"])
        #expect(members["branches"] == JSONSchema.list(of: .reference("SchemaBookTestsTree")).json)
        #expect(members["leaf"] == JSONSchema.reference("SchemaBookTestsLeaf").json)
        #expect(members["last"] == members["leaf"])
    }

    @Test("a description of a member that does not exist is refused")
    func unknown() {
        #expect(throws: DocumentFailure.self) { try SchemaBook().schema(of: Renamed.self) }
    }

    @Test("an object with the members of two schemas requires the members of both")
    func merged() {
        let schema = JSONSchema.object(["a": .text], required: ["a"]).merging(
            .object(["b": .flag], required: ["b"])
        )
        #expect(schema == .object(["a": .text, "b": .flag], required: ["a", "b"]))
        #expect(schema.optional == .object(["a": .text, "b": .flag]))
        #expect(JSONSchema.object(["a": .text], isClosed: true).isClosed && !schema.isClosed)
    }
}
