import PinholeConsole
import PinholeFiles
import PinholeFilter
import PinholeFormats
import PinholeModel
import PinholeSession
import PinholeStore

/// The screen that shows the state.
extension TopModel {
    /// The smallest terminal that shows anything useful.
    private static let smallest = (width: 40, height: 8)

    /// The number of rows of the list: a bar, the headings and the last line are not part of it.
    var listHeight: Int { max(1, size.height - 3) }

    /// The number of rows of a text: a bar, the pages and the last line are not part of it.
    var textHeight: Int { max(1, size.height - 3) }

    var grid: ScreenGrid {
        var grid = ScreenGrid(width: size.width, height: size.height)
        guard size.width >= Self.smallest.width, size.height >= Self.smallest.height else {
            let text =
                "This terminal is too small: \(size.width)x\(size.height). Make it "
                + "\(Self.smallest.width)x\(Self.smallest.height) or larger; q quits."
            for (row, piece) in StyledLine(text).wrapped(size.width).enumerated() {
                grid.write(piece.line, row: row)
            }
            return grid
        }
        drawBar(&grid)
        switch page {
        case .list: drawList(&grid)
        case .detail: if let detail { draw(detail, &grid) }
        case .held: drawHeld(&grid)
        case .heldMessage: draw("A message that is held", heldText, &grid)
        case .help: draw("Keys of pinhole top", helpText, &grid)
        }
        drawLastLine(&grid)
        return grid
    }

    // MARK: The bar

    private func drawBar(_ grid: inout ScreenGrid) {
        var right = StyledLine()
        if !held.isEmpty { right.add("\(held.count) held (b)  ", .of(.yellow).reversed) }
        if let standstill = state?.standstill {
            right.add("NOT RECORDED: \(standstill)  ", .of(.red).reversed)
        } else if state != nil, hasProxy {
            right.add(isRecording ? "recording" : "PAUSED (p)", isRecording ? .bar : .of(.yellow).reversed)
        }
        if page == .list { right.add(list.isFollowing ? "  following" : "  F follows", .bar) }
        var left = StyledLine("pinhole top  ", CellStyle(isBold: true, isReversed: true))
        left.add(FilePath.name(of: capture), .bar)
        left.add("  " + position, .bar)
        if sort != .number { left.add("  by \(sort.name)\(isDescending ? " ▼" : " ▲")", .bar) }
        grid.write(left, row: 0, limit: max(0, grid.width - right.columns - 2))
        grid.write(right, row: 0, column: max(0, grid.width - right.columns - 1))
        grid.reverse(row: 0)
    }

    private var position: String {
        guard isListRead else { return "reading …" }
        guard !list.ids.isEmpty else { return "0" }
        return "\(list.cursor + 1)/\(list.ids.count)" + (list.isStale ? ", more wait (^R)" : "")
    }

    // MARK: The list

    private func drawList(_ grid: inout ScreenGrid) {
        let columns = TopColumns(width: grid.width).columns
        var place = 2
        for column in columns {
            let title = Self.fitted(column.kind.title, column)
            grid.write(title, .faint, row: 1, column: place)
            place += column.width + 1
        }
        guard !list.ids.isEmpty else { return drawEmpty(&grid) }
        for (row, id) in list.shown.enumerated() {
            let isSelected = id == list.selected
            if let item = list.items[id] {
                draw(item, columns, at: row + 2, &grid)
            } else {
                grid.write("\(id) …", .faint, row: row + 2, column: 2)
            }
            if isSelected { grid.reverse(row: row + 2) }
        }
    }

    private func drawEmpty(_ grid: inout ScreenGrid) {
        guard isListRead else { return }
        var lines = ["Nothing has been recorded yet. Lead a client through the proxy, for example:"]
        lines += (state?.commands ?? []).prefix(2).map { "  \($0.command)" }
        if !filter.isEmpty { lines = ["No exchange matches the filter. / changes it, Esc shows everything."] }
        draw(lines, &grid)
    }

    /// Draws texts in place of a list, each wrapped to the width.
    private func draw(_ texts: [String], _ grid: inout ScreenGrid) {
        var row = 3
        for line in texts {
            for piece in StyledLine(line).wrapped(grid.width - 2) {
                grid.write(piece.line, row: row, column: 2)
                row += 1
            }
        }
    }

    private func draw(_ row: TrafficRow, _ columns: [TopColumns.Column], at y: Int, _ grid: inout ScreenGrid)
    {
        let isHeld = held.contains { $0.exchange == row.id }
        let mark = isHeld ? "!" : row.note.isMarked ? "*" : row.note.comment == nil ? " " : "#"
        grid.write(mark, .of(.yellow), row: y)
        let cells = TrafficCells(TrafficEvent(row), at: now)
        var place = 2
        for column in columns {
            let (text, style) = cell(row, cells, column.kind)
            let line = column.kind == .path ? Self.path(row, cells, style, column.width) : nil
            grid.write(line ?? StyledLine(Self.fitted(text, column), style), row: y, column: place)
            place += column.width + 1
        }
    }

    /// Returns the path with the comment behind it, as far as both fit, and the remarks of the list in the rest.
    private static func path(
        _ row: TrafficRow,
        _ cells: TrafficCells,
        _ style: CellStyle,
        _ width: Int
    ) -> StyledLine {
        let comment = row.note.comment.map { "  # \(Plain.printable($0))" } ?? ""
        let room = max(width / 2, width - TextColumns.count(comment))
        var line = StyledLine(TextLayout.middle(cells.path, room), style)
        line.add(TextColumns.prefix(comment, max(0, width - line.columns)), .of(.yellow))
        let rest = width - line.columns
        if !cells.isFlow, !cells.detail.isEmpty, rest > 4 {
            line.add(TextLayout.fit("  \(cells.detail)", rest), .of(.yellow))
        }
        return line
    }

    private static func fitted(_ text: String, _ column: TopColumns.Column) -> String {
        TextLayout.fit(text, column.width, right: column.kind.isNumber)
    }

    private func cell(
        _ row: TrafficRow,
        _ cells: TrafficCells,
        _ kind: TopSort
    ) -> (text: String, style: CellStyle) {
        switch kind {
        case .number: (cells.number, .faint)
        // The column has room for the time of day alone.
        case .time: (String(cells.time.suffix(8)), .faint)
        case .method: (cells.method, cells.isFlow ? .of(.blue) : .bold)
        case .status: (cells.status, .of(cells.colour))
        case .host: (cells.host, .plain)
        case .path: (cells.path, cells.isFlow ? .faint : .plain)
        case .type: (Plain.printable(row.isWebSocket ? "ws" : row.typeWord ?? ""), .of(.cyan))
        case .size: (cells.size == Plain.size(0) && !row.hasEnded ? "" : cells.size, .plain)
        case .duration: (row.hasEnded ? cells.duration : duration(since: row.started), .plain)
        }
    }

    /// Returns the time so far.
    private func duration(since started: Timestamp) -> String {
        now > started ? "\(Int64((now - started).milliseconds) / 1000) s…" : "…"
    }

    // MARK: Texts

    private func draw(_ detail: TopDetail, _ grid: inout ScreenGrid) {
        var tabs = StyledLine("#\(detail.id) ", .faint)
        for page in TopDetail.Page.allCases where detail.pages.contains(page) {
            let number = (TopDetail.Page.allCases.firstIndex(of: page) ?? 0) + 1
            tabs.add(
                " \(number) \(page.rawValue) ",
                page == detail.page ? CellStyle(isBold: true, isReversed: true) : .plain
            )
        }
        if let position = detail.text.position {
            tabs.add("  match \(position.number) of \(position.count)", .of(.yellow))
        }
        grid.write(tabs, row: 1)
        draw(detail.text, &grid)
    }

    private func draw(_ title: String, _ text: PagedText, _ grid: inout ScreenGrid) {
        grid.write(title, .bold, row: 1)
        draw(text, &grid)
    }

    private func draw(_ text: PagedText, _ grid: inout ScreenGrid) {
        for (row, line) in text.shown.enumerated() { grid.write(line, row: row + 2) }
        guard text.count > text.height else { return }
        let last = min(text.count, text.offset + text.height)
        let place = "\(text.offset + 1)-\(last) of \(text.count)"
        grid.write(place, .faint, row: 1, column: max(0, grid.width - place.count - 1))
    }

    private func drawHeld(_ grid: inout ScreenGrid) {
        grid.write("Messages that are held at breakpoints", .bold, row: 1)
        guard !held.isEmpty else {
            return draw(
                ["No message is held. A rule of the kind “breakpoint” holds messages (docs/RULES.md)."],
                &grid
            )
        }
        for (row, message) in held.prefix(listHeight).enumerated() {
            let status = message.status.map { "  \($0)" } ?? ""
            var line = StyledLine(message.at.rawValue.padded(to: 9), .of(.yellow))
            line.add("\(message.method) \(message.url)\(status)")
            line.add("  by \(message.rule)", .faint)
            grid.write(line, row: row + 2, column: 2)
            if row == heldCursor { grid.reverse(row: row + 2) }
        }
    }

    // MARK: The last line

    private func drawLastLine(_ grid: inout ScreenGrid) {
        let row = grid.height - 1
        if let prompt { return draw(prompt, row, &grid) }
        if let problem = proxyProblem ?? lossReason {
            writeLast("no connection to the proxy, tried again each second: \(problem)", .of(.red), &grid)
        } else if let remark {
            writeLast(remark.text, remark.isFault ? .of(.red) : .of(.green), &grid)
        } else if page == .list, !filter.isEmpty {
            var line = StyledLine("filter: ", .faint)
            line.add(filter, .of(.cyan))
            grid.write(line, row: row)
        } else {
            grid.write(hints, .faint, row: row)
        }
    }

    private var lossReason: String? { if case .lost(let reason) = connection { reason } else { nil } }

    /// Writes a text that ends in the last line; a longer one begins in lines above.
    private func writeLast(_ text: String, _ style: CellStyle, _ grid: inout ScreenGrid) {
        let pieces = StyledLine(text, style).wrapped(grid.width).suffix(3)
        for (index, piece) in pieces.enumerated() {
            let row = grid.height - pieces.count + index
            grid.write(String(repeating: " ", count: grid.width), row: row)
            grid.write(piece.line, row: row)
        }
    }

    private var hints: String {
        switch page {
        case .list: "? help  q quit  Enter open  / filter  o order  m mark  c note  r repeat  y curl"
        case .detail: "? help  q back  Tab page  J next  / search  H hex  w write  r repeat  y curl"
        case .held: "Enter show  a let it go on  e edit  d drop it  q back"
        case .heldMessage: "a let it go on  e edit  d drop it  q back"
        case .help: "q back"
        }
    }

    private func draw(_ prompt: TopPrompt, _ row: Int, _ grid: inout ScreenGrid) {
        grid.write(prompt.label, .bold, row: row)
        guard let editor = prompt.editor else { return }
        let start = TextColumns.count(prompt.label)
        let (text, cursor) = editor.window(max(1, grid.width - start - 1))
        grid.write(text, row: row, column: start)
        grid.cursor = (row, min(grid.width - 1, start + cursor))
        guard case .filter(_, let problem?) = prompt else { return }
        drawProblem(problem, editor, start, row - 1, &grid)
    }

    /// Shows what is wrong with a filter above it, with a mark over its column.
    private func drawProblem(
        _ problem: Problem,
        _ editor: LineEditor,
        _ start: Int,
        _ row: Int,
        _ grid: inout ScreenGrid
    ) {
        let blank = String(repeating: " ", count: grid.width)
        grid.write(blank, row: row)
        let isWhole = TextColumns.count(editor.text) < grid.width - start
        let column =
            isWhole
            ? problem.column.map {
                start + TextColumns.count(String(editor.characters.prefix(max(0, $0 - 1))))
            } : nil
        let text = problem.column.map { "column \($0): \(problem.detail)" } ?? problem.detail
        guard let column, column < grid.width else { return grid.write(text, .of(.red), row: row) }
        let pointer = "▼ " + text
        let room = grid.width - column
        guard TextColumns.count(pointer) > room else {
            return grid.write(pointer, .of(.red), row: row, column: column)
        }
        // The explanation stands a line above if the place beside the mark is too narrow.
        grid.write("▼", .of(.red), row: row, column: column)
        grid.write(blank, row: row - 1)
        grid.write(text, .of(.red), row: row - 1)
    }
}

extension TrafficRow {
    /// The time at which the exchange began or the client connected.
    fileprivate var started: Timestamp {
        switch kind {
        case .exchange(let record): record.timings.started
        case .flow(let record): record.opened
        }
    }
}
