@profile:kep @profile:since-1.34
Feature: Validation of ResourceClaims
  Every request references a DeviceClass. The API server checks that a DeviceClass is named, not that it exists,
  because a DeviceClass may be created later.

  Rule: deviceClassName is required in requests and subrequests

    Background:
      Given a ResourceClaim "c" requesting 1 device of class "nic"

    @case:missing-class-accepted
    @DRA/class/required-and-existing
    Scenario: A ResourceClaim that references a DeviceClass which does not exist is stored
      When ResourceClaim "c" is created
      Then the object is stored with
        | field                                            | value |
        | spec.devices.requests[0].exactly.deviceClassName | nic   |

    @case:request-without-class
    @DRA/class/required-and-existing
    Scenario: A ResourceClaim with a request that names no DeviceClass is rejected
      When ResourceClaim "c" is created with
        | field                                            | value |
        | spec.devices.requests[0].exactly.deviceClassName | null  |
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the type and the path of the error: the object is rejected with Required at "spec.devices.requests[0].exactly.deviceClassName"

    @case:subrequest-without-class
    @DRA/class/required-and-existing
    Scenario: A ResourceClaim with a subrequest that names no DeviceClass is rejected
      Given a ResourceClaim "either" with the requests
        | request | subrequest | deviceClassName |
        | r0      | big        | nic             |
        | r0      | small      | nic             |
      When ResourceClaim "either" is created with
        | field                                                      | value |
        | spec.devices.requests[0].firstAvailable[1].deviceClassName | null  |
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the type and the path of the error: the object is rejected with Required at "spec.devices.requests[0].firstAvailable[1].deviceClassName"

    @case:template-request-without-class
    @DRA/class/required-and-existing
    Scenario: A ResourceClaimTemplate with a request that names no DeviceClass is rejected
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
      Then the object is rejected
      But since Kubernetes 1.34, because the document leaves open the type and the path of the error: the object is rejected with Required at "spec.spec.devices.requests[0].exactly.deviceClassName"

    @case:claim-without-requests
    @API/request/none
    Scenario: A ResourceClaim without requests is stored
      When this object is created
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: nothing, namespace: default}
        spec: {devices: {}}
        """
      Then the object is stored

  Rule: ResourceClaims have no consumesCounters

    @case:counters-in-request-dropped
    @DRA/partitionable/transparent-to-claims
    Scenario: The field consumesCounters is dropped from a request
      Given a ResourceClaim "c" requesting 1 device of class "gpu"
      When ResourceClaim "c" is created with
        | field                                             | value                                                   |
        | spec.devices.requests[0].exactly.consumesCounters | [{counterSet: gpu-0, counters: {memory: {value: 6Gi}}}] |
      Then the field "spec.devices.requests[0].exactly.consumesCounters" is dropped
