// What main says in dialogs of the system, which must work when the page does not.
import type { LocalText } from '../preload/contract/language.ts'

export const dialogTexts = {
  hung: { en: 'The window does not answer.', 'zh-CN': '窗口没有响应。' },
  hungNext: {
    en: 'Wait if the computer is busy. Otherwise reload the window, then open the captures again from the recent files: their indexes are kept.',
    'zh-CN': '如果电脑正忙，请等待。否则请重新加载窗口，然后从最近的文件中再次打开采集文件：其索引仍然保留。',
  },
  crashed: { en: 'The window stopped working again.', 'zh-CN': '窗口再次停止工作。' },
  crashedNext: {
    en: 'Reload the window, then open the captures again from the recent files. If it stops again, quit, close other programs to free memory and start Tidemark anew; report it with the reason below if that does not help.',
    'zh-CN':
      '请重新加载窗口，然后从最近的文件中再次打开采集文件。如果窗口再次停止工作，请退出，关闭其他程序以释放内存，再启动 Tidemark；若仍无效，请附上以下原因报告此问题。',
  },
  reason: { en: 'Reason: {{reason}}', 'zh-CN': '原因：{{reason}}' },
  wait: { en: 'Wait', 'zh-CN': '等待' },
  reload: { en: 'Reload', 'zh-CN': '重新加载' },
  quit: { en: 'Quit', 'zh-CN': '退出' },
  known: { en: 'Captures, Logs and Metrics', 'zh-CN': '采集文件、日志与指标' },
  allFiles: { en: 'All Files', 'zh-CN': '所有文件' },
} as const satisfies Readonly<Record<string, LocalText>>
