; The installer for one person, without administrator's rights. Filled in by nsis.py: @NAME@ and the like.
Unicode true
Target amd64-unicode
SetCompressor /SOLID lzma
RequestExecutionLevel user
ManifestDPIAware true

!include "MUI2.nsh"
!include "FileFunc.nsh"

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

; An older version is ended and replaced; settings, secrets and entries of AI apps are elsewhere and stay.
Section "@TITLE@"
  IfFileExists "$INSTDIR\@NAME@-mcp.exe" 0 +2
    nsExec::Exec '"$INSTDIR\@NAME@-mcp.exe" uninstall --upgrade'
  RMDir /r "$INSTDIR\_internal"
  SetOutPath "$INSTDIR"
  File /r "@BUNDLE@\*"
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
SectionEnd

; Takes the program out of the AI apps' settings and ends it first, so that no entry leads nowhere.
Section "Uninstall"
  nsExec::Exec '"$INSTDIR\@NAME@-mcp.exe" uninstall --yes'
  Delete "$SMPROGRAMS\@TITLE@.lnk"
  RMDir /r "$INSTDIR"
  DeleteRegKey HKCU "Software\Classes\@SCHEME@"
  DeleteRegKey HKCU "${UNINSTALL}"
  DeleteRegKey HKCU "Software\@TITLE@"
SectionEnd
