import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findOffice } from './find-office.ts'

function folder(): string {
  const root = mkdtempSync(join(tmpdir(), 'filewright-office-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return root
}

function program(path: string): string {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, '#!/bin/sh\n')
  chmodSync(path, 0o755)
  return path
}

test('the setting comes first, and "none" uses none', () => {
  const root = folder()
  const own = program(join(root, 'own/program/soffice'))
  const other = program(join(root, 'bin/soffice'))
  const programFolders = [join(root, 'bin')]
  expect(findOffice({ office: own, programFolders })?.program).toBe(own)
  expect(findOffice({ programFolders })?.program).toBe(other)
  expect(findOffice({ office: 'none', programFolders })).toBeUndefined()
})

test('a setting that names no program finds none, whatever else is installed', () => {
  const root = folder()
  program(join(root, 'bin/soffice'))
  const plain = join(root, 'plain')
  writeFileSync(plain, '')
  for (const office of [join(root, 'nothing'), plain, root])
    expect(findOffice({ office, programFolders: [join(root, 'bin')] })).toBeUndefined()
})

test('a link leads to where it is installed', () => {
  const root = folder()
  const own = program(join(root, 'office/program/soffice'))
  mkdirSync(join(root, 'bin'))
  symlinkSync(own, join(root, 'bin/libreoffice'))
  expect(findOffice({ programFolders: [join(root, 'bin')] })).toEqual({
    program: own,
    folders: [join(root, 'office')],
  })
})

test('a program that lies elsewhere opens no folder to the box: around it may be a home', () => {
  const root = folder()
  const own = program(join(root, 'home/bin/soffice'))
  expect(findOffice({ office: own, programFolders: [] })).toEqual({ program: own, folders: [] })
})
