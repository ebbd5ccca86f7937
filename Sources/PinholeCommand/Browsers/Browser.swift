import PinholeFiles

/// A browser that is installed on this machine.
struct Browser: Equatable, Sendable {
    /// A group of browsers that are configured for a proxy and a CA in the same way.
    enum Family: String, Equatable, Sendable {
        /// Browsers with command line flags and an NSS database below the home directory.
        case chromium
        /// Browsers with preferences and an NSS database in the profile.
        case firefox
    }

    /// A browser by its usual name, with the names that packages give to its program.
    struct Product: Sendable {
        let name: String
        let family: Family
        /// The names of its program, the usual one first.
        let executables: [String]
    }

    let family: Family
    /// The path of the program.
    let path: String

    /// The name of the program, such as `google-chrome`.
    var name: String { FilePath.name(of: path) }

    /// The known browsers, in the order in which they are looked for.
    ///
    /// The first ones are made for development or come with the system, and send the fewest requests on their own.
    static let products = [
        Product(name: "chromium", family: .chromium, executables: ["chromium", "chromium-browser"]),
        Product(
            name: "chrome",
            family: .chromium,
            executables: [
                "google-chrome", "google-chrome-stable", "google-chrome-beta", "google-chrome-unstable",
                "chrome",
            ]
        ),
        Product(name: "firefox", family: .firefox, executables: ["firefox", "firefox-esr"]),
        Product(name: "brave", family: .chromium, executables: ["brave-browser", "brave"]),
        Product(
            name: "edge",
            family: .chromium,
            executables: ["microsoft-edge", "microsoft-edge-stable", "microsoft-edge-beta", "msedge"]
        ),
    ]

    /// The names of ``products``, as text for users.
    static var knownNames: String { products.map(\.name).joined(separator: ", ") }

    /// Returns the family of a program by its name; `nil` for an unknown program.
    static func family(ofExecutable name: String) -> Family? {
        products.first { $0.executables.contains(name) }?.family
    }
}
