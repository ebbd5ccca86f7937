import Foundation

/// A part of a page that is written from declarations of the program.
struct ReferenceBlock {
    /// The page, below the root of the repository.
    let page: String
    /// The name in the comments around the part.
    let title: String
    /// The lines of the part, without empty lines around them.
    let lines: [String]

    /// Declares a part of a page, whose name has neither its folder nor its suffix.
    init(_ page: String, _ title: String, _ lines: [String]) {
        self.page = "docs/\(page).md"
        self.title = title
        self.lines = lines
    }

    /// All parts of all pages.
    static var all: [ReferenceBlock] {
        get async throws {
            let scenarios = try await ScenarioPage.blocks
            return try CommandPage.blocks + ConfigurationPage.blocks + FilterPage.blocks + RulePage.blocks
                + ClientSetUpPage.blocks + CapabilityPage.blocks + scenarios + PolicyPage.blocks
        }
    }

    /// The comment before the part, which neither the repository nor the site shows.
    var start: String { "<!-- \(title): written by make reference -->" }
    /// The comment behind the part.
    var end: String { "<!-- end: \(title) -->" }

    /// Puts the lines between the comments of a page.
    ///
    /// - Parameter text: The lines of the page.
    /// - Returns: The lines with the part; `nil` if the page lacks one of the comments.
    func written(into text: [String]) -> [String]? {
        guard let first = text.firstIndex(of: start), let last = text[first...].firstIndex(of: end) else {
            return nil
        }
        return text[...first] + [""] + lines + [""] + text[last...]
    }
}

/// The repository that the tests were built from.
enum RepositoryPages {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The lines of a file below the root.
    static func lines(of path: String) throws -> [String] {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
