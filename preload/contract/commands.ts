// Every command as data: main builds its menu from this list, the window its palette, keys and help. What a command does is registered in
// the window (renderer/commands); main runs `app.*` itself. Titles live here because both processes show them.
//
// Keys: `Mod` is Ctrl, on macOS ⌘. A letter or digit without Mod means the physical key (event.code), so WASD works on any layout and with
// an input method on; everything else matches the character (event.key). The first key is the one that menu and tooltips show.
import type { LocalText } from './language.ts'

export type MenuName = 'file' | 'edit' | 'view' | 'go' | 'help'

export interface CommandDeclaration {
  readonly id: string
  readonly title: LocalText
  readonly keys: readonly string[]
  /** Works while a text field has the focus. */
  readonly inTextFields: boolean
  /** Where the menu shows it; a change of section draws a separator. null = palette and keys only. */
  readonly menu: { readonly name: MenuName; readonly section: number } | null
}

interface CommandOptions {
  readonly keys?: readonly string[]
  readonly menu?: readonly [MenuName, number]
  readonly inTextFields?: boolean
}

const command = (id: string, en: string, zh: string, { keys = [], menu, inTextFields = false }: CommandOptions): CommandDeclaration => ({
  id,
  title: { en, 'zh-CN': zh },
  keys,
  inTextFields,
  menu: menu ? { name: menu[0], section: menu[1] } : null,
})

export const commands: readonly CommandDeclaration[] = [
  command('file.open', 'Open…', '打开…', { keys: ['Mod+O'], menu: ['file', 1], inTextFields: true }),
  command('file.openFolder', 'Open Folder…', '打开文件夹…', { menu: ['file', 1] }),
  command('file.openRecent', 'Open Recent…', '打开最近的文件…', { keys: ['Mod+Shift+O'], menu: ['file', 1], inTextFields: true }),
  command('file.clearRecent', 'Clear Recent Files', '清除最近的文件', { menu: ['file', 1] }),
  command('file.cancelLoad', 'Cancel Loading', '取消加载', { menu: ['file', 2] }),
  command('file.rebuildIndex', 'Rebuild Index', '重建索引', { menu: ['file', 2] }),
  command('file.exportImage', 'Export Image…', '导出图像…', { keys: ['Mod+E'], menu: ['file', 3], inTextFields: true }),
  command('file.exportReport', 'Export Report…', '导出报告…', { keys: ['Mod+Shift+E'], menu: ['file', 3], inTextFields: true }),
  command('file.exportCsv', 'Export as CSV…', '导出为 CSV…', { menu: ['file', 3] }),
  command('file.saveSession', 'Save Session Now', '立即保存会话', { keys: ['Mod+S'], menu: ['file', 3], inTextFields: true }),
  command('file.saveSessionAs', 'Save Session As…', '会话另存为…', { menu: ['file', 3] }),
  command('file.openSession', 'Open Session…', '打开会话…', { menu: ['file', 3] }),
  command('file.exportFolded', 'Export Flame Graph as Folded Stacks…', '将火焰图导出为折叠栈…', { menu: ['file', 3] }),
  command('file.exportD3', 'Export Flame Graph as d3 JSON…', '将火焰图导出为 d3 JSON…', { menu: ['file', 3] }),
  command('file.exportSpeedscope', 'Export Flame Graph for speedscope…', '将火焰图导出为 speedscope 文件…', { menu: ['file', 3] }),
  command('file.exportPprof', 'Export Flame Graph for pprof…', '将火焰图导出为 pprof 文件…', { menu: ['file', 3] }),
  command('file.settings', 'Settings…', '设置…', { keys: ['Mod+,'], menu: ['file', 4], inTextFields: true }),
  command('file.nextTab', 'Next Capture', '下一个采集文件', { keys: ['Ctrl+Tab'], menu: ['file', 4], inTextFields: true }),
  command('file.previousTab', 'Previous Capture', '上一个采集文件', { keys: ['Ctrl+Shift+Tab'], menu: ['file', 4], inTextFields: true }),
  command('file.closeTab', 'Close Capture', '关闭采集文件', { keys: ['Mod+W'], menu: ['file', 4], inTextFields: true }),
  command('app.quit', 'Quit', '退出', { keys: ['Mod+Q'], menu: ['file', 5], inTextFields: true }),

  command('edit.undo', 'Undo', '撤销', { keys: ['Mod+Z'], menu: ['edit', 1] }),
  command('edit.redo', 'Redo', '重做', { keys: ['Mod+Shift+Z', 'Mod+Y'], menu: ['edit', 1] }),
  command('edit.copyImage', 'Copy View as Image', '将视图复制为图像', { menu: ['edit', 2] }),
  command('edit.copyAddress', 'Copy Address', '复制地址', { menu: ['edit', 2] }),
  command('edit.copyDetails', 'Copy Details', '复制详细信息', { keys: ['Mod+C'], menu: ['edit', 2] }),
  command('edit.copyMarkdown', 'Copy Details as Markdown', '以 Markdown 复制详细信息', { keys: ['Mod+Shift+C'], menu: ['edit', 2] }),
  command('edit.pasteText', 'Diagnose Pasted Text', '诊断粘贴的文本', { keys: ['Mod+V'], menu: ['edit', 2] }),

  command('view.timeline', 'Timeline', '时间线', { keys: ['1'], menu: ['view', 1] }),
  command('view.lifetimes', 'Lifetimes', '生命周期', { keys: ['2'], menu: ['view', 1] }),
  command('view.blocks', 'Blocks', '内存块', { keys: ['3'], menu: ['view', 1] }),
  command('view.fragmentation', 'Fragmentation', '碎片', { keys: ['4'], menu: ['view', 1] }),
  command('view.flame', 'Flame', '火焰图', { keys: ['5'], menu: ['view', 1] }),
  command('view.trace', 'Trace', '轨迹', { keys: ['6'], menu: ['view', 1] }),
  command('view.allocations', 'Allocations', '分配', { keys: ['7'], menu: ['view', 1] }),
  command('view.sql', 'SQL', 'SQL', { keys: ['8'], menu: ['view', 1] }),
  command('view.diagnosis', 'Diagnosis', '诊断', { keys: ['9'], menu: ['view', 1] }),
  command('view.triedSettings', 'What If: Allocator Settings', '假如：分配器设置', {}),
  command('view.zoomIn', 'Zoom In', '放大', { keys: ['W', '+', '='], menu: ['view', 2] }),
  command('view.zoomOut', 'Zoom Out', '缩小', { keys: ['S', '-'], menu: ['view', 2] }),
  command('view.panLeft', 'Pan Left', '左移', { keys: ['A'], menu: ['view', 2] }),
  command('view.panRight', 'Pan Right', '右移', { keys: ['D'], menu: ['view', 2] }),
  command('view.zoomInFast', 'Zoom In, Three Times as Fast', '三倍速放大', { keys: ['Shift+W'] }),
  command('view.zoomOutFast', 'Zoom Out, Three Times as Fast', '三倍速缩小', { keys: ['Shift+S'] }),
  command('view.panLeftFast', 'Pan Left, Three Times as Fast', '三倍速左移', { keys: ['Shift+A'] }),
  command('view.panRightFast', 'Pan Right, Three Times as Fast', '三倍速右移', { keys: ['Shift+D'] }),
  command('view.zoomFit', 'Zoom to Fit', '缩放至全部', { keys: ['0'], menu: ['view', 2] }),
  command('view.focusSelection', 'Focus Selection', '聚焦所选', { keys: ['F'], menu: ['view', 2] }),
  command('view.switchAxis', 'Switch Axis: Time or Events', '切换横轴：时间或事件', { keys: ['X'], menu: ['view', 3] }),
  command('view.scrollUp', 'Scroll Rows Up', '向上滚动各行', { keys: ['Shift+PageUp'] }),
  command('view.scrollDown', 'Scroll Rows Down', '向下滚动各行', { keys: ['Shift+PageDown'] }),
  command('view.fitHeight', 'Fit Height to Allocated', '高度适应已分配', { keys: ['Y'], menu: ['view', 3] }),
  command('view.colorBy', 'Color By…', '着色依据…', { keys: ['C'], menu: ['view', 3] }),
  command('view.colorBy.stack', 'Color by Stack', '按调用栈着色', {}),
  command('view.colorBy.size', 'Color by Size', '按大小着色', {}),
  command('view.colorBy.age', 'Color by Age', '按存活时长着色', {}),
  command('view.colorBy.stream', 'Color by Stream', '按流着色', {}),
  command('view.colorBy.pool', 'Color by Pool', '按内存池着色', {}),
  command('view.colorBy.category', 'Color by Category', '按类别着色', {}),
  command('view.order', 'Order By…', '排序依据…', { keys: ['G'], menu: ['view', 3] }),
  command('view.invert', 'Invert: Callees or Callers', '反转：被调用者或调用者', { keys: ['I'], menu: ['view', 3] }),
  command('view.flip', 'Flip: Icicle or Flame', '翻转：冰柱图或火焰图', { keys: ['U'], menu: ['view', 3] }),
  command('view.rowsHigher', 'Higher Rows', '增大行高', { keys: ['Alt+ArrowUp'] }),
  command('view.rowsLower', 'Lower Rows', '减小行高', { keys: ['Alt+ArrowDown'] }),
  command('view.pinRow', 'Pin Track', '固定轨道', { keys: ['P'], menu: ['view', 3] }),
  command('view.nextRow', 'Next Row', '下一行', { keys: ['J'] }),
  command('view.previousRow', 'Previous Row', '上一行', { keys: ['Shift+J'] }),
  command('view.foldRow', 'Fold or Unfold Track', '折叠或展开轨道', { keys: ['H'], menu: ['view', 3] }),
  command('view.foldAll', 'Fold or Unfold All Tracks', '折叠或展开所有轨道', { keys: ['Shift+H'] }),
  command('filter.large', 'Only Large Allocations (1 MiB and More)', '仅显示大分配（1 MiB 及以上）', { menu: ['view', 4] }),
  command('filter.temporary', 'Only Short-lived Allocations', '仅显示短暂存活的分配', { menu: ['view', 4] }),
  command('filter.neverFreed', 'Only Allocations Never Freed', '仅显示从未释放的分配', { menu: ['view', 4] }),
  command('filter.edit', 'Edit Filter', '编辑筛选', { keys: ['Mod+Shift+F'], menu: ['view', 4], inTextFields: true }),
  command('filter.save', 'Save Filter…', '保存筛选…', { menu: ['view', 4] }),
  command('filter.clear', 'Clear Filter', '清除筛选', { menu: ['view', 4] }),
  command('view.legend', 'Legend', '图例', { keys: ['L'], menu: ['view', 5] }),
  command('view.table', 'Table of This View', '此视图的表格', { keys: ['T'], menu: ['view', 5] }),
  command('view.drawer', 'Details', '详细信息', { keys: ['Mod+J', 'Q'], menu: ['view', 5] }),
  command('view.sideBar', 'Side Bar', '侧边栏', { keys: ['Mod+B'], menu: ['view', 5] }),
  command('view.reset', 'Reset Views', '重置视图', { menu: ['view', 5] }),
  command('theme.light', 'Light Theme', '浅色主题', { menu: ['view', 6] }),
  command('theme.dark', 'Dark Theme', '深色主题', { menu: ['view', 6] }),
  command('theme.system', 'Theme of the System', '跟随系统主题', { menu: ['view', 6] }),
  command('language.en', 'English', 'English', { menu: ['view', 7] }),
  command('language.zh-CN', '简体中文', '简体中文', { menu: ['view', 7] }),
  command('language.system', 'Language of the System', '跟随系统语言', { menu: ['view', 7] }),
  command('app.fullScreen', 'Full Screen', '全屏', { keys: ['F11'], menu: ['view', 8], inTextFields: true }),

  command('go.palette', 'Command Palette…', '命令面板…', { keys: ['Mod+K', 'Mod+Shift+P', 'F1'], menu: ['go', 1], inTextFields: true }),
  command('go.quickOpen', 'Quick Open…', '快速打开…', { keys: ['Mod+P'], menu: ['go', 1], inTextFields: true }),
  command('go.to', 'Go to Time, Event, Address, Frame…', '转到时间、事件、地址、栈帧…', {
    keys: ['Mod+G'],
    menu: ['go', 1],
    inTextFields: true,
  }),
  command('go.search', 'Search…', '搜索…', { keys: ['Mod+F', '/'], menu: ['go', 1], inTextFields: true }),
  command('go.nextHit', 'Next Hit of the Search', '下一个搜索结果', { keys: ['F3'], menu: ['go', 1], inTextFields: true }),
  command('go.previousHit', 'Previous Hit of the Search', '上一个搜索结果', { keys: ['Shift+F3'], menu: ['go', 1], inTextFields: true }),
  command('go.peak', 'Go to Peak', '转到峰值', { keys: ['K'], menu: ['go', 2] }),
  command('go.nextOom', 'Next Out-of-Memory Mark', '下一个显存不足标记', { keys: ['O'], menu: ['go', 2] }),
  command('go.previousOom', 'Previous Out-of-Memory Mark', '上一个显存不足标记', { keys: ['Shift+O'], menu: ['go', 2] }),
  command('go.nextItem', 'Next Use of the Address, or Next Slice', '该地址的下一次使用，或下一个切片', { keys: ['.'], menu: ['go', 2] }),
  command('go.previousItem', 'Previous Use of the Address, or Previous Slice', '该地址的上一次使用，或上一个切片', {
    keys: [','],
    menu: ['go', 2],
  }),
  command('go.allocEvent', 'Go to Its Allocation, or Follow the Flow Back', '转到其分配事件，或沿流向后', { keys: ['['], menu: ['go', 2] }),
  command('go.freeEvent', 'Go to Its Free, or Follow the Flow', '转到其释放事件，或沿流向前', { keys: [']'], menu: ['go', 2] }),
  command('go.aliveAtEnd', 'What Is Alive at the End', '结束时仍存活的分配', { menu: ['go', 2] }),
  command('go.nextStep', 'Select Next Step or Annotation', '选择下一个步骤或标注', { keys: ['N'], menu: ['go', 3] }),
  command('go.previousStep', 'Select Previous Step or Annotation', '选择上一个步骤或标注', { keys: ['Shift+N'], menu: ['go', 3] }),
  command('go.markRange', 'Mark for the Moment', '暂时标记', { keys: ['M'], menu: ['go', 3] }),
  command('edit.addNote', 'Keep as Note…', '保留为笔记…', { keys: ['Shift+M'], menu: ['go', 3] }),
  command('edit.deleteNote', 'Delete Note', '删除笔记', { keys: ['Delete'] }),
  command('go.selectionToRange', 'Selection to Range', '将所选设为范围', { keys: ['R'], menu: ['go', 3] }),
  command('go.firstEvent', 'First Event', '第一个事件', {}),
  command('go.previousEvent', 'Previous Event', '上一个事件', {}),
  command('go.nextEvent', 'Next Event', '下一个事件', {}),
  command('go.lastEvent', 'Last Event', '最后一个事件', {}),
  command('go.previousEvents', '100 Events Back', '后退 100 个事件', { keys: ['Shift+ArrowUp'] }),
  command('go.nextEvents', '100 Events Forward', '前进 100 个事件', { keys: ['Shift+ArrowDown'] }),
  command('go.play', 'Play or Pause', '播放或暂停', { keys: ['Space'] }),
  command('showIn.timeline', 'Show in Timeline', '在时间线中显示', {}),
  command('showIn.lifetimes', 'Show in Lifetimes', '在生命周期中显示', {}),
  command('showIn.blocks', 'Show in Blocks', '在内存块中显示', {}),
  command('showIn.fragmentation', 'Show in Fragmentation', '在碎片中显示', {}),
  command('showIn.flame', 'Show in Flame', '在火焰图中显示', {}),
  command('showIn.trace', 'Show in Trace', '在轨迹中显示', {}),
  command('showIn.sql', 'Show in SQL', '在 SQL 中显示', {}),
  command('showIn.diagnosis', 'Show in Diagnosis', '在诊断中显示', {}),
  command('sql.run', 'Run SQL Statement', '运行 SQL 语句', { keys: ['Mod+Enter'], inTextFields: true }),
  command('sql.stop', 'Stop SQL Statement', '停止 SQL 语句', {}),
  command('sql.example', 'Choose SQL Example', '选择 SQL 示例', { keys: ['Mod+Shift+X'], inTextFields: true }),
  command('sql.edit', 'Write SQL Statement', '编写 SQL 语句', { keys: ['E'] }),
  command('showIn.allocations', 'Show in Allocations', '在分配中显示', {}),
  command('select.left', 'Select to the Left', '选择左侧', { keys: ['ArrowLeft'] }),
  command('select.right', 'Select to the Right', '选择右侧', { keys: ['ArrowRight'] }),
  command('select.up', 'Select Above, or Previous Event', '选择上方，或上一个事件', { keys: ['ArrowUp'] }),
  command('select.down', 'Select Below, or Next Event', '选择下方，或下一个事件', { keys: ['ArrowDown'] }),
  command('select.extendLeft', 'Extend Range to the Left', '向左扩展范围', { keys: ['Shift+ArrowLeft'] }),
  command('select.extendRight', 'Extend Range to the Right', '向右扩展范围', { keys: ['Shift+ArrowRight'] }),
  command('go.back', 'Back', '后退', { keys: ['Alt+ArrowLeft'], menu: ['go', 4] }),
  command('go.forward', 'Forward', '前进', { keys: ['Alt+ArrowRight'], menu: ['go', 4] }),
  command('go.up', 'One Level Up, or Back', '上一级，或后退', { keys: ['Backspace'], menu: ['go', 4] }),
  command('go.nextRegion', 'Next Part of the Window', '窗口的下一区域', { keys: ['F6'], inTextFields: true }),
  command('go.previousRegion', 'Previous Part of the Window', '窗口的上一区域', { keys: ['Shift+F6'], inTextFields: true }),
  command('go.escape', 'One Step Back', '退一步', { keys: ['Escape'], inTextFields: true }),

  command('help.keys', 'Keyboard Shortcuts', '键盘快捷键', { keys: ['?'], menu: ['help', 1] }),
  command('help.welcome', 'Welcome and Samples', '欢迎与示例', { menu: ['help', 1] }),
  command('help.about', 'About Tidemark', '关于 Tidemark', { menu: ['help', 2] }),
]

/** Titles of the menus themselves, in the order of the bar. */
export const menus: readonly { readonly name: MenuName; readonly title: LocalText }[] = [
  { name: 'file', title: { en: 'File', 'zh-CN': '文件' } },
  { name: 'edit', title: { en: 'Edit', 'zh-CN': '编辑' } },
  { name: 'view', title: { en: 'View', 'zh-CN': '视图' } },
  { name: 'go', title: { en: 'Go', 'zh-CN': '转到' } },
  { name: 'help', title: { en: 'Help', 'zh-CN': '帮助' } },
]
