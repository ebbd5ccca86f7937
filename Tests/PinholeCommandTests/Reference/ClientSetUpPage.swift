@testable import PinholeCommand

/// The table of clients in docs/CLIENTS.md.
enum ClientSetUpPage {
    static var blocks: [ReferenceBlock] {
        let rows = ClientSetUp.all.map { row in
            [row.clients, (row.bundle + row.others).map(Markdown.code).joined(separator: ", "), row.remark]
        }
        return [
            ReferenceBlock(
                "CLIENTS",
                "clients of pinhole run",
                Markdown.table(["client", "variables", "remark"], rows)
            )
        ]
    }
}
