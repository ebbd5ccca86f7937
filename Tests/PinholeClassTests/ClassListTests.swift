import Testing

@testable import PinholeClass

@Suite("ClassList")
struct ClassListTests {
    private func ids(_ text: String) throws -> [String] { try ClassList(text).members.map(\.id) }

    @Test("a list has one name in each line, however its lines end")
    func lines() throws {
        #expect(try ids("\u{feff}mia\r\n# a remark\r\n\r\n  jörg \r\nÉva") == ["mia", "jörg", "Éva"])
        #expect(try ids((1...200).map { "s\($0)" }.joined(separator: "\n")).count == 200)
    }

    @Test(
        "a line has id, display name and group",
        arguments: [
            "a1,Anna Müller,10b\nb2,\"Becker, Ben \"\"B\"\" 😀\",10b",
            "a1;Anna Müller;10b\nb2;Becker, Ben \"B\" 😀;10b",
            "ID\tName\tGruppe\na1\tAnna Müller\t10b\nb2\tBecker, Ben \"B\" 😀\t10b\n",
            "Klasse,Anzeigename,Kürzel\n10b,Anna Müller,a1\n10b,\"Becker, Ben \"\"B\"\" 😀\",b2",
        ]
    )
    func cells(_ text: String) throws {
        #expect(
            try ClassList(text).members == [
                ClassMember(id: "a1", name: "Anna Müller", group: "10b"),
                ClassMember(id: "b2", name: "Becker, Ben \"B\" 😀", group: "10b"),
            ]
        )
    }

    @Test("a title above names alone is no student", arguments: ["name", "ID", "Kürzel", "Name\r"])
    func title(_ title: String) throws {
        #expect(try ids("\(title)\nmia\nben") == ["mia", "ben"])
        #expect(try ids("mia\n\(title)").count == 2)
        #expect(try ids("name") == ["name"])
    }

    @Test("an id is made of a display name alone")
    func made() throws {
        let members = try ClassList("Anna Müller\nBen 😀 O'Neil\nmia").members
        #expect(members.map(\.id) == ["Anna-Müller", "Ben-O-Neil", "mia"])
        #expect(members.map(\.name) == ["Anna Müller", "Ben 😀 O'Neil", "mia"])
    }

    @Test("all faults of a list are reported together, with their lines")
    func faults() {
        let text = "mia\n😀\nMIA\n\nclass,x\na/b,Anna\nd,e,f,g\nteacher.key\nJO\u{308}RG\nlessons.txt"
        let failure = #expect(throws: ClassFailure.self) { try ClassList(text) }
        let told = failure?.description ?? ""
        #expect(told.hasPrefix("the list of students has 8 faults:"))
        for line in [
            "line 2: ", "line 3: the list has MIA twice, first in line 1", "line 5: ", "line 6: ", "line 7: ",
            "line 8: ", "line 9: ", "line 10: ",
        ] {
            #expect(told.contains(line), "\(told)")
        }
        let open = #expect(throws: ClassFailure.self) { try ClassList("mia\na/b,Anna\n\"open,y") }
        let lines = open?.description.split(separator: "\n").compactMap { $0.split(separator: ":").first }
        #expect(lines?.filter { $0.hasPrefix("  line") } == ["  line 2", "  line 3"])
    }

    @Test("a list without students, with too many, or in another encoding is refused")
    func refused() {
        let many = (1...201).map { "s\($0)" }.joined(separator: "\n")
        for text in ["", "# nobody", many, "M\u{fffd}ller", "a,\"b"] {
            #expect(throws: ClassFailure.self) { try ClassList(text) }
        }
    }

    @Test(
        "a student is added at the end of a list in its own form",
        arguments: [
            "mia", "mia\n", "a;b;c\n", "# class\nname,id\nMia,mia\n", "Anna Müller\r\n",
        ]
    )
    func added(_ text: String) throws {
        let member = ClassMember(id: "x-1", name: "Xaver, \"X\"; 😀")
        let list = try ClassList(text)
        let longer = try list.adding(member, to: text)
        #expect(longer.hasPrefix(text))
        #expect(try ClassList(longer).members == list.members + [member])
        #expect(throws: ClassFailure.self) { try ClassList(longer).adding(member, to: longer) }
    }

    @Test("a student is removed from a list, and all other lines stay")
    func removed() throws {
        let text = "\u{feff}# class\r\nid,name\r\nmia,\"Mia, Ö\"\r\n\r\nben\r\nzoe,Zoë"
        let list = try ClassList(text)
        #expect(try list.removing("mia", from: text) == "\u{feff}# class\r\nid,name\r\n\r\nben\r\nzoe,Zoë")
        let last = try list.removing("zoe", from: text)
        #expect(last == "\u{feff}# class\r\nid,name\r\nmia,\"Mia, Ö\"\r\n\r\nben\r\n")
        #expect(throws: ClassFailure.self) { try list.removing("kai", from: text) }
        #expect(throws: ClassFailure.self) { try ClassList("mia").removing("mia", from: "mia") }
    }

    @Test("numbers in names are ordered by their value")
    func order() {
        let names = ["s10", "S2", "s1", "s02", "anna", "s"]
        #expect(names.sorted(by: NaturalOrder.precedes) == ["anna", "s", "s1", "S2", "s02", "s10"])
    }
}
