import PinholeWire
import Testing

@testable import PinholeCommand

@Suite("The stream of events of a console")
struct EventReaderTests {
    @Test("events are read in pieces of any size; comments are none")
    func pieces() {
        let text =
            "retry: 1000\n\nevent: begin\ndata: {\"after\":1}\n\n: still here\n\nevent: traffic\ndata: {}\n\nid: 7\n\n"
        for size in 1...text.utf8.count {
            var reader = EventReader()
            var types: [String?] = []
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                types += reader.take(Array(rest.prefix(size))).map(\.type)
                rest = rest.dropFirst(size)
            }
            #expect(types == ["begin", "traffic"], "in pieces of \(size)")
        }
    }
}
