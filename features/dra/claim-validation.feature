@profile:kep @profile:since-1.34
Feature: What a ResourceClaim must say
  Every request of a claim refers to a device class. The API server sees to it that one is named, not that it
  exists: a class may be created later.

  Rule: Every request names a class

    Background:
      Given a claim "c" requesting 1 device of class "nic"

    @DRA/class/required-and-existing
    Scenario: A claim for a class that is not there yet is stored as it was written
      When the ResourceClaim "c" is created
      Then it is stored with
        | field                                            | value |
        | spec.devices.requests[0].exactly.deviceClassName | nic   |

    @DRA/class/required-and-existing
    Scenario: A claim with a request that names no class is rejected
      When the ResourceClaim "c" is created with
        | field                                            | value |
        | spec.devices.requests[0].exactly.deviceClassName | null  |
      Then it is rejected
      But since Kubernetes 1.34, because the document leaves open where and how it is reported: it is rejected with Required at "spec.devices.requests[0].exactly.deviceClassName"

    @DRA/class/required-and-existing
    Scenario: A claim with an alternative that names no class is rejected
      Given a claim "either" with the requests
        | request | subrequest  | class |
        | r0      | big         | nic   |
        | r0      | small       | nic   |
      When the ResourceClaim "either" is created with
        | field                                                      | value |
        | spec.devices.requests[0].firstAvailable[1].deviceClassName | null  |
      Then it is rejected
      But since Kubernetes 1.34, because the document leaves open where and how it is reported: it is rejected with Required at "spec.devices.requests[0].firstAvailable[1].deviceClassName"

    @DRA/class/required-and-existing
    Scenario: A template with a request that names no class is rejected
      When this object is created
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaimTemplate
        metadata: {name: cat, namespace: default}
        spec:
          spec:
            devices:
              requests:
                - name: req-0
                  exactly: {allocationMode: All}
        """
      Then it is rejected
      But since Kubernetes 1.34, because the document leaves open where and how it is reported: it is rejected with Required at "spec.spec.devices.requests[0].exactly.deviceClassName"

    @DRA/class/required-and-existing
    Scenario: A claim without requests is stored
      When this object is created
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: nothing, namespace: default}
        spec: {devices: {}}
        """
      Then it is stored

  Rule: A claim does not mention counters

    @DRA/partitionable/transparent-to-claims
    Scenario: Counters that a request names are not stored
      Given a claim "c" requesting 1 device of class "gpu"
      When the ResourceClaim "c" is created with
        | field                                             | value                                                   |
        | spec.devices.requests[0].exactly.consumesCounters | [{counterSet: gpu-0, counters: {memory: {value: 6Gi}}}] |
      Then the field "spec.devices.requests[0].exactly.consumesCounters" is dropped
