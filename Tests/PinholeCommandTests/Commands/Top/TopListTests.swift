import PinholeModel
import PinholeStore
import Testing

@testable import PinholeCommand

@Suite("The list of pinhole top")
struct TopListTests {
    static func item(_ id: Int64, status: Int = 200) throws -> TrafficRow {
        try TopRecords.row(id, status: status)
    }

    private static func list(_ ids: [Int64], height: Int = 3) -> TopList {
        var list = TopList()
        list.height = height
        list.replace(with: ids, isSorted: false)
        return list
    }

    @Test("the newest item stays selected while the list follows")
    func follow() throws {
        var list = Self.list([1, 2, 3, 4])
        #expect(list.selected == 4 && list.shown == [2, 3, 4])
        list.take([try Self.item(7)])
        #expect(list.selected == 7 && list.shown == [3, 4, 7])
        list.move(by: -1)
        list.take([try Self.item(9)])
        #expect(!list.isFollowing && list.selected == 4)
        list.select(.max)
        #expect(list.isFollowing && list.selected == 9)
        list.select(0)
        #expect(list.shown == [1, 2, 3])
    }

    @Test("an item that matches only at its end comes into its place, and the selected item stays")
    func late() throws {
        var list = Self.list([2, 4, 8])
        list.select(1)
        list.take([try Self.item(3), try Self.item(1), try Self.item(5)])
        #expect(list.ids == [1, 2, 3, 4, 5, 8])
        #expect(list.selected == 4)
        list.take([try Self.item(5, status: 404)])
        let changed = try Self.item(5, status: 404)
        #expect(list.ids.count == 6 && list.items[5] == changed)
    }

    @Test("items near the visible place are requested once; missing ones are removed")
    func questions() throws {
        var list = Self.list(Array(1...100))
        #expect(list.takeQuestions() == Array(95...100))
        #expect(list.takeQuestions() == [])
        list.fill([try Self.item(98), try Self.item(100)], asked: Array(95...100))
        #expect(list.ids.suffix(3) == [94, 98, 100])
        #expect(list.selected == 100)
        list.select(0)
        #expect(list.takeQuestions() == Array(1...6))
    }

    @Test("retention removes the oldest, and the selected item stays")
    func retention() {
        var list = Self.list([1, 2, 3, 4, 5])
        list.select(3)
        list.removeAll(upTo: 2)
        #expect(list.ids == [3, 4, 5] && list.selected == 4)
        list.removeAll(upTo: 9)
        #expect(list.ids.isEmpty && list.selected == nil && list.shown.isEmpty)
        list.move(by: 1)
        list.select(.max)
        #expect(list.selected == nil)
    }

    @Test("a sorted list says that new items wait")
    func sorted() throws {
        var list = Self.list([])
        list.replace(with: [5, 1, 3], isSorted: true)
        list.take([try Self.item(9)])
        #expect(list.isStale && list.ids == [5, 1, 3])
        list.replace(with: [9, 5, 1, 3], isSorted: true)
        #expect(!list.isStale)
    }

    @Test("a million numbers keep no more items than fit near the screen")
    func large() throws {
        var list = Self.list(Array(1...1_000_000), height: 50)
        for start in stride(from: 0, to: 1_000_000, by: 100_000) {
            list.select(start)
            let wanted = list.takeQuestions()
            #expect(wanted.count <= 150)
            list.fill(try wanted.map { try Self.item($0) }, asked: wanted)
        }
        list.take(try (1...5000).map { try Self.item($0) })
        #expect(list.items.count <= 4000)
    }
}
