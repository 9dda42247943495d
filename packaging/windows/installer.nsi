; The installer for one person, without administrator's rights. Filled in by nsis.py: @NAME@ and the like.
Unicode true
; A 64-bit setup where makensis can make one: Debian's can, the project's own build for Windows makes 32-bit ones.
!if /FileExists "${NSISDIR}/Stubs/lzma_solid-amd64-unicode"
  Target amd64-unicode
!endif
SetCompressor /SOLID lzma
RequestExecutionLevel user
ManifestDPIAware true

!include "MUI2.nsh"
!include "FileFunc.nsh"
!include "LogicLib.nsh"

Name "@TITLE@"
OutFile "@OUTPUT@"
InstallDir "$LOCALAPPDATA\Programs\@TITLE@"
InstallDirRegKey HKCU "Software\@TITLE@" "Folder"
BrandingText "@TITLE@ @VERSION@"
VIProductVersion "@VERSION@.0"
VIAddVersionKey "ProductName" "@TITLE@"
VIAddVersionKey "ProductVersion" "@VERSION@"
VIAddVersionKey "FileVersion" "@VERSION@"
VIAddVersionKey "FileDescription" "@SUMMARY@"
VIAddVersionKey "CompanyName" "@AUTHORS@"
VIAddVersionKey "LegalCopyright" "@AUTHORS@, @LICENCE@ licence"

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\@ID@"
!define MUI_ICON "@ICON@"
!define MUI_UNICON "@ICON@"
!define MUI_FINISHPAGE_RUN "$INSTDIR\@NAME@.exe"
!define MUI_FINISHPAGE_RUN_TEXT "Start @TITLE@"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"
!insertmacro MUI_LANGUAGE "Japanese"

!define PREVIOUS "$INSTDIR.previous"

; An older version is ended and put aside until the new one has passed its self-test; else it comes back. Settings,
; secrets and entries of AI apps are elsewhere and stay. With /UPDATE, which @TITLE@ itself gives, it is started again.
Section "@TITLE@"
  ${If} ${FileExists} "$INSTDIR\@NAME@-mcp.exe"
    nsExec::Exec '"$INSTDIR\@NAME@-mcp.exe" uninstall --upgrade'
    RMDir /r "${PREVIOUS}"
    ${For} $1 1 40 ; for ten seconds, while the old one ends
      ClearErrors
      Rename "$INSTDIR" "${PREVIOUS}"
      ${IfNot} ${Errors}
        ${Break}
      ${EndIf}
      Sleep 250
    ${Next}
    ${If} ${Errors}
      DetailPrint "@TITLE@ still runs. Quit it, then start this setup again."
      SetErrorLevel 2
      Abort
    ${EndIf}
  ${EndIf}
  SetOutPath "$INSTDIR"
  File /r "@BUNDLE@\*"
  ${If} ${FileExists} "${PREVIOUS}\*.*"
    nsExec::Exec '"$INSTDIR\@NAME@-mcp.exe" self-test'
    Pop $0
    ${If} $0 != 0
      SetOutPath "$TEMP"
      ${For} $1 1 40 ; for ten seconds, while the new one ends
        RMDir /r "$INSTDIR"
        ClearErrors
        Rename "${PREVIOUS}" "$INSTDIR"
        ${IfNot} ${Errors}
          ${Break}
        ${EndIf}
        Sleep 250
      ${Next}
      Call StartAfterUpdate
      DetailPrint "The new version failed its self-test here. The old one is back."
      SetErrorLevel 3
      Abort
    ${EndIf}
    RMDir /r "${PREVIOUS}"
  ${EndIf}
  CreateShortcut "$SMPROGRAMS\@TITLE@.lnk" "$INSTDIR\@NAME@.exe" "" "$INSTDIR\@NAME@.exe" 0
  WriteUninstaller "$INSTDIR\uninstall.exe"
  WriteRegStr HKCU "Software\@TITLE@" "Folder" "$INSTDIR"
  WriteRegStr HKCU "Software\Classes\@SCHEME@" "" "URL:@TITLE@"
  WriteRegStr HKCU "Software\Classes\@SCHEME@" "URL Protocol" ""
  WriteRegStr HKCU "Software\Classes\@SCHEME@\shell\open\command" "" '"$INSTDIR\@NAME@.exe" "%1"'
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "@TITLE@"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "@VERSION@"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\@NAME@.exe"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "@AUTHORS@"
  WriteRegStr HKCU "${UNINSTALL}" "URLInfoAbout" "@HOMEPAGE@"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" $0
  Call StartAfterUpdate
SectionEnd

Function StartAfterUpdate
  ${GetParameters} $R0
  ClearErrors
  ${GetOptions} $R0 "/UPDATE" $R1
  ${IfNot} ${Errors}
    Exec '"$INSTDIR\@NAME@.exe"'
  ${EndIf}
FunctionEnd

; Takes the program out of the AI apps' settings and ends it first, so that no entry leads nowhere.
Section "Uninstall"
  nsExec::Exec '"$INSTDIR\@NAME@-mcp.exe" uninstall --yes'
  Delete "$SMPROGRAMS\@TITLE@.lnk"
  RMDir /r "$INSTDIR"
  DeleteRegKey HKCU "Software\Classes\@SCHEME@"
  DeleteRegKey HKCU "${UNINSTALL}"
  DeleteRegKey HKCU "Software\@TITLE@"
SectionEnd
