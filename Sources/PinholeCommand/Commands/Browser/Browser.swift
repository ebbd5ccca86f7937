import Foundation

/// A browser that is installed on this machine.
struct Browser: Equatable, Sendable {
    /// Browsers that are told of a proxy and of a CA in the same way.
    enum Family: String, Equatable, Sendable {
        /// Flags of the command line, and an NSS database below the home.
        case chromium
        /// Preferences and an NSS database in the profile.
        case firefox
    }

    /// A browser as people know it, under the names that packages give to its program.
    struct Product: Sendable {
        /// The name.
        let name: String
        let family: Family
        /// Its programs, the usual one first.
        let executables: [String]
    }

    let family: Family
    /// The program, as it was found.
    let path: String

    /// The name of the program, such as `google-chrome`.
    var name: String { (path as NSString).lastPathComponent }

    /// Every browser that is known, in the order in which they are looked for.
    ///
    /// First those that are made for development or come with the system, and that send least by themselves.
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

    /// The names of ``products``, for people.
    static var knownNames: String { products.map(\.name).joined(separator: ", ") }

    /// The family of a program by its name; `nil` for one that is not known.
    static func family(ofExecutable name: String) -> Family? {
        products.first { $0.executables.contains(name) }?.family
    }
}
