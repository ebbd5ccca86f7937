import PinholeModel

/// Receives the event of a due timer.
package protocol TimerHandler: AnyObject {
    /// Handles the timer that was scheduled under `tag`, which is due now.
    func timerFired(tag: Int, on loop: isolated EventLoop)
}

/// The number of a scheduled timer.
package struct TimerID: Hashable, Sendable {
    fileprivate let rawValue: UInt64
}

/// Timers by deadline in a binary heap.
///
/// A cancelled timer is removed when it reaches the top.
struct TimerQueue {
    struct Due {
        let handler: any TimerHandler
        let tag: Int
    }

    private struct Entry {
        let deadline: Timestamp
        let id: UInt64
    }

    private var heap: [Entry] = []
    private var live: [UInt64: Due] = [:]
    private var nextID: UInt64 = 0

    mutating func add(_ deadline: Timestamp, _ handler: any TimerHandler, tag: Int) -> TimerID {
        nextID += 1
        live[nextID] = Due(handler: handler, tag: tag)
        heap.append(Entry(deadline: deadline, id: nextID))
        siftUp(heap.count - 1)
        return TimerID(rawValue: nextID)
    }

    mutating func remove(_ id: TimerID) {
        live[id.rawValue] = nil
        // Cancelled entries are removed when they reach the top; if most entries are cancelled, all of them
        // are removed.
        guard heap.count > 64, live.count < heap.count / 4 else { return }
        heap = heap.filter { live[$0.id] != nil }.sorted { $0.deadline < $1.deadline }
    }

    /// Removes and returns the earliest due timer; `nil` if no timer is due.
    mutating func popDue(_ now: Timestamp) -> Due? {
        while let top = heap.first {
            if let due = live[top.id] {
                guard top.deadline <= now else { return nil }
                live[top.id] = nil
                removeTop()
                return due
            }
            removeTop()
        }
        return nil
    }

    /// The earliest deadline, which may be the one of a cancelled timer.
    var earliest: Timestamp? { heap.first?.deadline }

    private mutating func removeTop() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        siftDown(0)
    }

    private mutating func siftUp(_ start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard heap[index].deadline < heap[parent].deadline else { return }
            heap.swapAt(index, parent)
            index = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < heap.count && heap[child].deadline < heap[least].deadline {
                least = child
            }
            guard least != index else { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
