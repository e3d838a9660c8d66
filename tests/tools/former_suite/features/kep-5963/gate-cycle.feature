@profile:kep @profile:since-1.37
Feature: The feature gate is turned off and on again, and releases come and go

  Background:
    Given the counter set
      | set   | counter memory |
      | gpu-0 | 80Gi           |
    And the devices
      | device | counters gpu-0 | groups gpu-0 | attribute kind |
      | mig-0  | memory 20Gi    | mig          | string mig     |
      | mig-1  | memory 20Gi    | mig          | string mig     |
      | vgpu-0 | memory 20Gi    | vgpu         | string vgpu    |
    And a claim "mig" with the request
      | request | selector                                            |
      | r0      | device.attributes["dra.example.com"].kind == "mig"  |
    And a claim "more-mig" with the request
      | request | selector                                            |
      | r0      | device.attributes["dra.example.com"].kind == "mig"  |
    And a claim "vgpu" with the request
      | request | selector                                            |
      | r0      | device.attributes["dra.example.com"].kind == "vgpu" |
    And a pod "p" that uses claim "mig"

  @case:a-release-without-the-field-allocates-what-conflicts
  @KEP-5963/rollback/to-a-version-without-the-field @KEP-5963/rollback/allocations-survive-downgrade
  @KEP-5963/rollback/reenable-does-not-revisit
  Scenario: A release without the field allocates what conflicts, and nothing of it is revoked later
    When the cluster settles
    Then pod "p" runs
    When the API server and the scheduler now run Kubernetes 1.36
    And a pod "q" that uses claim "vgpu" is created
    And the cluster settles
    Then pod "p" runs
    And claim "mig" has the result
      | driver          | pool   |
      | dra.example.com | pool-1 |
    And pod "q" runs
    When the API server and the scheduler now run the release under test
    And the cluster settles
    Then pod "p" runs
    And pod "q" runs
    And claim "vgpu" keeps its allocation
