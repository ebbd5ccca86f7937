package import PinholeModel
import PinholeRuntime

/// The names, tokens, days and orders of one student's world, which need no key and no certificate.
package struct ClassNames: Sendable {
    /// A fact about a TLS connection that lesson 1 asks for.
    private struct Fact {
        let text: [ClassLanguage: String]
        let isVisible: Bool
    }

    /// A document of the clinic.
    package struct Document: Sendable {
        /// The name that the task asks for.
        package let name: String
        /// The number of bytes.
        package let size: Int
    }

    /// The seed of the student.
    package let seed: ClassSeed
    /// The year of the class, from which the days are counted.
    package let year: Int
    /// The domain of all hosts of the world.
    package let domain: String

    /// Derives the names from a seed.
    ///
    /// - Parameters:
    ///   - seed: The seed.
    ///   - year: The year of the class; `nil` for the present one.
    package init(_ seed: ClassSeed, year: Int? = nil) {
        self.seed = seed
        self.year = year ?? Self.year(of: LoopClock().now())
        let colours = ["amber", "coral", "ivory", "olive", "indigo", "copper", "silver", "scarlet"]
        let animals = ["otter", "heron", "lynx", "badger", "falcon", "marten", "plover", "ibex", "newt"]
        let number = 10 + seed.number("domain number", below: 90)
        domain = "\(seed.pick("colour", colours))-\(seed.pick("animal", animals))\(number).localhost"
    }

    /// The shop, which the phone visits without TLS in lesson 1.
    package var shop: Host { .name("shop.\(domain)") }
    /// The place that the phone visits with TLS in lesson 1.
    package var clinic: Host {
        .name("\(seed.pick("clinic", ["clinic", "pharmacy", "lawyer", "embassy", "credit"])).\(domain)")
    }
    /// The bank of lessons 2, 3, 5 and 6.
    package var bank: Host { .name("bank.\(domain)") }
    /// Another host of the bank's owner, whose certificate a station of lesson 4 presents.
    package var other: Host { .name("static.\(domain)") }
    /// The hosts of lesson 4, in the order of the worksheet.
    package var stations: [Host] {
        let places = ["harbour", "library", "museum", "theatre", "bakery", "station", "garden", "school"]
        return seed.shuffled("stations", places).prefix(ClassStation.Role.allCases.count).map {
            .name("\($0).\(domain)")
        }
    }

    /// The role of each station of lesson 4.
    package var roles: [(host: Host, role: ClassStation.Role)] {
        Array(zip(stations, seed.shuffled("roles", ClassStation.Role.allCases))).map { (host: $0, role: $1) }
    }

    // MARK: Lesson 1

    /// The token in plain HTTP.
    package var token: String { seed.token("token") }
    /// The documents of the clinic; the phone fetches ``document``.
    package var documents: [Document] {
        let names = seed.shuffled("documents", ["appointment", "diagnosis", "receipt", "brochure", "form"])
        let sizes = seed.shuffled("sizes", [9, 37, 88]).map { kilobytes in
            kilobytes * 1024 + seed.number("size \(kilobytes)", below: 900)
        }
        return zip(names, sizes).map(Document.init)
    }
    /// The document that the phone fetches.
    package var document: Document { seed.pick("document", documents) }

    /// The facts of which some stay visible, in the order of the worksheet.
    private var facts: [Fact] {
        seed.shuffled(
            "facts",
            [
                Fact(
                    text: [.english: "the path of the page", .german: "den Pfad der Seite"],
                    isVisible: false
                ),
                Fact(
                    text: [.english: "the server's name", .german: "den Namen des Servers"],
                    isVisible: true
                ),
                Fact(text: [.english: "the password", .german: "das Passwort"], isVisible: false),
                Fact(
                    text: [.english: "roughly the amount of data", .german: "ungefähr die Datenmenge"],
                    isVisible: true
                ),
                Fact(text: [.english: "the cookies", .german: "die Cookies"], isVisible: false),
                Fact(
                    text: [.english: "the time of the visit", .german: "die Zeit des Besuchs"],
                    isVisible: true
                ),
            ]
        )
    }

    /// The choices of the task `visible`, each with its letter.
    package func visibleChoices(_ language: ClassLanguage) -> String {
        Self.choices(facts.map { $0.text[language] ?? "" })
    }

    /// The letters of the facts that stay visible.
    package var visible: String { Self.letters(facts.map(\.isVisible)) }

    // MARK: Lessons 2 and 3

    /// The organization of the CA that the world's owners use.
    package var organization: String { organizations[0] }
    /// The organization of a CA that the device trusts as well, and that was deceived.
    package var careless: String { organizations[1] }
    /// The company whose gateway intercepts.
    package var company: String { seed.pick("company", ["Halden", "Orrin", "Vestre", "Lumen", "Kestrel"]) }
    /// The day on which the bank's certificate ends: in the next year, so that it lasts as long as the class.
    package var until: String { Self.day(seed.number("until", below: 300), after: springOfNextYear) }

    /// The first day on which a certificate of a good server ends.
    var springOfNextYear: String { "\(year + 1)-03-01T12:00:00Z" }
    /// The user of the phone.
    package var user: String { seed.pick("user", ["amira", "jonas", "lena", "malik", "sofia", "tomas"]) }
    /// The password of the phone's user.
    package var password: String { seed.token("password", length: 10) }
    /// The session that the bank gives.
    package var session: String { seed.token("session", length: 16) }

    /// The common name of an organization's root.
    static func rootName(_ organization: String) -> String { "\(organization) Root CA" }
    /// The common name of the CA that signs an organization's servers.
    static func issuerName(_ organization: String) -> String { "\(organization) TLS CA 1" }

    private var organizations: [String] {
        seed.shuffled(
            "organizations",
            ["Northlight", "Copperfield", "Seaglass", "Juniper", "Marlow", "Tarn"]
        )
    }

    // MARK: Lessons 5 to 8

    /// The attacks of which a pin of a CA's key misses one, in the order of the worksheet.
    private var attacks: [(text: [ClassLanguage: String], isMissed: Bool)] {
        seed.shuffled(
            "attacks",
            [
                (
                    [
                        .english: "the gateway of a company, whose CA is on the device",
                        .german: "das Gateway einer Firma, deren CA auf dem Gerät ist",
                    ], false
                ),
                (
                    [
                        .english: "a certificate that the bank's own CA issued to a stranger",
                        .german: "ein Zertifikat, das die CA der Bank einer fremden Person ausstellt",
                    ], true
                ),
                (
                    [
                        .english: "a certificate by a CA that the device does not trust",
                        .german: "ein Zertifikat einer CA, der das Gerät nicht vertraut",
                    ], false
                ),
                (
                    [
                        .english: "a certificate that another trusted CA issued to a stranger",
                        .german:
                            "ein Zertifikat, das eine andere vertraute CA einer fremden Person ausstellt",
                    ], false
                ),
            ]
        )
    }

    /// The choices of the task `blind`.
    package func blindChoices(_ language: ClassLanguage) -> String {
        Self.choices(attacks.map { $0.text[language] ?? "" })
    }

    /// The letter of the attack that a pin of a CA's key misses.
    package var blind: String { Self.letters(attacks.map(\.isMissed)) }

    /// The wishes of which two exclude each other, in the order of the worksheet.
    private var wishes: [(text: [ClassLanguage: String], isInConflict: Bool)] {
        seed.shuffled(
            "wishes",
            [
                ([.english: "to change the key at once", .german: "den Schlüssel sofort wechseln"], true),
                (
                    [
                        .english: "to lock out no user of version 1.0",
                        .german: "niemanden mit Version 1.0 aussperren",
                    ], true
                ),
                (
                    [
                        .english: "to notice a man in the middle",
                        .german: "einen Angreifer in der Mitte bemerken",
                    ], false
                ),
                ([.english: "to pin a backup key", .german: "einen Ersatzschlüssel pinnen"], false),
            ]
        )
    }

    /// The choices of the task `wishes`.
    package func wishesChoices(_ language: ClassLanguage) -> String {
        Self.choices(wishes.map { $0.text[language] ?? "" })
    }

    /// The letters of the wishes that exclude each other.
    package var conflict: String { Self.letters(wishes.map(\.isInConflict)) }

    /// The cases of lesson 8, in the order of the worksheet.
    package var cases: [ClassCase] { seed.shuffled("cases", ClassCase.allCases) }

    /// The value of the line STUDENT in the client of lesson 7.
    package var mark: String { seed.token("client") }

    // MARK: Notation

    static func year(of moment: Timestamp) -> Int { Int(moment.iso8601.prefix(4)) ?? 2026 }

    /// Returns choices, each in a line with its letter.
    static func choices(_ texts: [String]) -> String {
        zip("abcdefghijkl", texts).map { "    \($0)  \($1)" }.joined(separator: "\n")
    }

    /// Returns the letters of the choices whose flag is true.
    static func letters(_ flags: [Bool]) -> String {
        String(zip("abcdefghijkl", flags).filter(\.1).map(\.0))
    }

    /// Returns the day that is a number of days after a moment, as YYYY-MM-DD.
    static func day(_ days: Int, after moment: String) -> String {
        String(time(days, after: moment).iso8601.prefix(10))
    }

    /// Returns the moment that is a number of days after another one.
    static func time(_ days: Int, after moment: String) -> Timestamp {
        let start = (try? RFC3339.read(moment)) ?? Timestamp(seconds: 0)
        return start + .seconds(days * 86_400)
    }
}

/// The languages of the lessons.
package enum ClassLanguage: String, Sendable, CaseIterable, Hashable {
    case english = "en"
    case german = "de"

    /// Returns the text of this language.
    package func say(_ english: String, _ german: String) -> String { self == .german ? german : english }
}

/// The cases of lesson 8, by the word that answers each.
package enum ClassCase: String, Sendable, CaseIterable {
    /// A man in the middle has another key: a pin in the own app notices it.
    case pin
    /// A public CA issued a certificate for a name that no app watches: a log shows it.
    case log
    /// The private key was stolen: only revocation ends the certificate.
    case revocation
    /// The owner of the device installed a CA: it is the owner's decision.
    case owner
    /// An act that needs the consent of the people whose traffic it is.
    case consent

    /// The German words for the answer, as the worksheet names them.
    var german: [String] {
        switch self {
        case .pin: []
        case .log: ["öffentliches Log"]
        case .revocation: ["Sperrung"]
        case .owner: ["Besitzerin", "Besitzerin des Geräts"]
        case .consent: ["Einwilligung"]
        }
    }

    /// The story of the case.
    func story(_ language: ClassLanguage, bank: String) -> String {
        switch (self, language) {
        case (.pin, .english):
            """
            On a holiday island, the hotel's network presents a certificate for \(bank) by a CA that all phones trust. \
            Which measure makes the bank's own app refuse it?
            """
        case (.pin, .german):
            """
            Auf einer Ferieninsel zeigt das Netz des Hotels ein Zertifikat für \(bank) von einer CA, der alle Handys \
            vertrauen. Wodurch lehnt die eigene App der Bank es ab?
            """
        case (.log, .english):
            """
            A CA issued a certificate for \(bank) to an unknown person last week. No customer has met it yet. Where can \
            the bank find out about it?
            """
        case (.log, .german):
            """
            Eine CA hat letzte Woche einer unbekannten Person ein Zertifikat für \(bank) ausgestellt. Noch ist keine \
            Kundin darauf gestoßen. Wo kann die Bank davon erfahren?
            """
        case (.revocation, .english):
            """
            A backup disk with the private key of \(bank) was stolen. The thief can present the real certificate with the \
            real key. Which step must the bank ask its CA for?
            """
        case (.revocation, .german):
            """
            Eine Sicherungsplatte mit dem privaten Schlüssel von \(bank) wurde gestohlen. Der Dieb kann das echte \
            Zertifikat mit dem echten Schlüssel zeigen. Worum muss die Bank ihre CA bitten?
            """
        case (.owner, .english):
            """
            An employee finds that the laptop of her company shows certificates for \(bank) by the company's gateway, and \
            the browser shows no warning. Whose decision was that?
            """
        case (.owner, .german):
            """
            Eine Angestellte bemerkt, dass ihr Firmenlaptop für \(bank) Zertifikate des Firmengateways zeigt und der \
            Browser nicht warnt. Wessen Entscheidung war das?
            """
        case (.consent, .english):
            """
            A student wants to show that the app of \(bank) on a classmate's phone has weak checks, with a proxy in the \
            school's network. Technically it works. Which thing is missing?
            """
        case (.consent, .german):
            """
            Ein Schüler will mit einem Proxy im Schulnetz zeigen, dass die App von \(bank) auf dem Handy einer Mitschülerin \
            schlecht prüft. Technisch geht es. Was fehlt?
            """
        }
    }
}
